#include "api/files/file_arguments.hpp"

#include "api/pt2pt/status.hpp"

namespace antiphon::api {

void need_mode(const File& file, io::Direction direction) {
  if (direction == kWrites) return need_writable(file);
  if (!file.may_read())
    base::fail(abi::ERR_ACCESS,
               fmt::format("{} was opened with MPI_MODE_WRONLY: reading needs MPI_MODE_RDONLY or MPI_MODE_RDWR",
                           file.title()));
}

void need_writable(const File& file) {
  if (!file.may_write())
    base::fail(
        abi::ERR_READ_ONLY,
        fmt::format("{} was opened with MPI_MODE_RDONLY: this needs MPI_MODE_WRONLY or MPI_MODE_RDWR", file.title()));
}

void need_not_sequential(const File& file) {
  if (file.is_sequential())
    base::fail(
        abi::ERR_UNSUPPORTED_OPERATION,
        fmt::format("{} was opened with MPI_MODE_SEQUENTIAL: only the shared pointer can be used", file.title()));
}

data::Buffer checked_memory(const File& file, io::Direction direction, const FileMemory& memory) {
  need_mode(file, direction);
  (void)check::message("buf", memory.buf, "count", memory.count, memory.type);
  const data::Buffer buffer(memory.buf, memory.count, memory.type);
  const objects::FileView& view = file.view();
  const auto bytes = static_cast<std::int64_t>(buffer.bytes());
  if (bytes % view.etype_bytes() != 0)
    base::fail(abi::ERR_TYPE,
               fmt::format("count={} elements of {} are {} bytes, no multiple of the view's etype, which has {}",
                           memory.count, memory.type.description(), bytes, view.etype_bytes()));
  if (bytes != 0 && view.filetype()->size() == 0)
    base::fail(abi::ERR_TYPE, fmt::format("count={} elements of {}, but the filetype of the view has no data",
                                          memory.count, memory.type.description()));
  return buffer;
}

std::int64_t checked_position(const File& file, const char* argument, std::int64_t offset, std::int64_t bytes) {
  if (offset < 0) base::fail(abi::ERR_ARG, fmt::format("{}={} is negative (valid: 0 or more)", argument, offset));
  std::int64_t position = 0;
  if (__builtin_mul_overflow(offset, file.view().etype_bytes(), &position))
    base::fail(abi::ERR_ARG, fmt::format("{}={} etypes of {} bytes are more than 64 bits can count", argument, offset,
                                         file.view().etype_bytes()));
  file.view().need_reachable(position, bytes);
  return position;
}

std::int64_t sought(File& file, std::int64_t offset, int whence, std::int64_t now) {
  std::int64_t from = 0;
  if (whence == abi::FILE_SEEK_CUR)
    from = now;
  else if (whence == abi::FILE_SEEK_END)
    from = file.view().first_etype_at(file.state().stored()->size());
  else if (whence != abi::FILE_SEEK_SET)
    base::fail(abi::ERR_ARG,
               fmt::format("whence={} is not valid (valid: MPI_SEEK_SET, MPI_SEEK_CUR, MPI_SEEK_END)", whence));
  std::int64_t to = 0;
  if (__builtin_add_overflow(from, offset, &to) || to < 0)
    base::fail(abi::ERR_ARG,
               fmt::format("offset={} leads from etype {} to before the beginning of the view", offset, from));
  return to;
}

void set_file_status(MPI_Status* status, std::int64_t bytes) { set_status(status, {.bytes = bytes}); }

}  // namespace antiphon::api
