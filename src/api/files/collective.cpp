// Reads and writes of all processes together: blocking, nonblocking, and split in two calls: MPI 5.0, 14.4.2
// to 14.4.5. A process whose arguments are wrong takes part without data, so that the others hear of it.
#include "api/files/file_arguments.hpp"
#include "api/pt2pt/message_arguments.hpp"
#include "api/pt2pt/status.hpp"

namespace antiphon::api {

using objects::Datatype;
using Part = io::Files::Part;
using Place = io::Files::Place;

namespace {

void need_no_split(File& file) {
  if (const auto& split = file.state().split())
    base::fail(abi::ERR_OTHER,
               fmt::format("a split collective of {} has begun: {} must end it before the next collective access",
                           file.title(), split->call));
}

Part at_offset(File& file, io::Direction direction, std::int64_t offset, const FileMemory& memory) {
  Part part{.direction = direction};
  or_failure(&part.failure, [&] {
    need_not_sequential(file);
    part.memory = checked_memory(file, direction, memory);
    part.position = checked_position(file, "offset", offset, static_cast<std::int64_t>(part.memory.bytes()));
    return 0;
  });
  return part;
}

Part at_own_pointer(File& file, io::Direction direction, const FileMemory& memory) {
  Part part = at_offset(file, direction, file.position(), memory);
  if (!part.failure)
    file.set_position(file.position() + static_cast<std::int64_t>(part.memory.bytes()) / file.view().etype_bytes());
  return part;
}

Part ordered(File& file, io::Direction direction, const FileMemory& memory) {
  Part part{.direction = direction, .place = Place::ordered};
  or_failure(&part.failure, [&] {
    part.memory = checked_memory(file, direction, memory);
    return 0;
  });
  return part;
}

void carry_out(Process& process, File& file, const Part& part, MPI_Status* status) {
  set_file_status(status, process.open_files().access_together(file, part));
}

// A call that fails here has begun nevertheless, for the others; nobody waits for this process's part in it.
void begin(Process& process, File& file, const Part& part, MPI_Request* request) {
  auto begun = process.open_files().start_access_together(file, part);
  if (part.failure) throw base::Error(*part.failure);
  *request = handle_of(process, std::move(begun));
}

void need_place_for(MPI_Request* request) {
  check::not_null(request, "request");
  *request = MPI_REQUEST_NULL;
}

// The first half of a split collective, which `end` ends.
void begin_split(Process& process, File& file, const Part& part, const void* buf, const char* end) {
  auto begun = process.open_files().start_access_together(file, part);
  if (part.failure) throw base::Error(*part.failure);
  file.state().split() = {end, buf, std::move(begun)};
}

void end_split(Process& process, File& file, const char* end, const void* buf, MPI_Status* status) {
  auto& split = file.state().split();
  if (!split) base::fail(abi::ERR_OTHER, fmt::format("no split collective of {} has begun", file.title()));
  if (std::string_view(split->call) != end)
    base::fail(abi::ERR_OTHER,
               fmt::format("the split collective of {} that has begun is ended by {}", file.title(), split->call));
  if (split->buffer != buf)
    base::fail(abi::ERR_BUFFER,
               fmt::format("buf={} is not the buffer with which the split collective of {} has begun", fmt::ptr(buf),
                           file.title()));
  const io::FileRequestRef begun = std::move(split->request);
  split.reset();
  process.progress().wait(*begun);
  if (begun->outcome.error != 0) base::fail(begun->outcome.error, *begun->error_text);
  set_status(status, begun->outcome);
}

}  // namespace

void file_read_at_all(Process& process, File& fh, MPI_Offset offset, void* buf, MPI_Count count,
                      const Datatype& datatype, MPI_Status* status) {
  need_no_split(fh);
  carry_out(process, fh, at_offset(fh, kReads, offset, {buf, count, datatype}), status);
}
void file_write_at_all(Process& process, File& fh, MPI_Offset offset, const void* buf, MPI_Count count,
                       const Datatype& datatype, MPI_Status* status) {
  need_no_split(fh);
  carry_out(process, fh, at_offset(fh, kWrites, offset, {buf, count, datatype}), status);
}
void file_read_all(Process& process, File& fh, void* buf, MPI_Count count, const Datatype& datatype,
                   MPI_Status* status) {
  need_no_split(fh);
  carry_out(process, fh, at_own_pointer(fh, kReads, {buf, count, datatype}), status);
}
void file_write_all(Process& process, File& fh, const void* buf, MPI_Count count, const Datatype& datatype,
                    MPI_Status* status) {
  need_no_split(fh);
  carry_out(process, fh, at_own_pointer(fh, kWrites, {buf, count, datatype}), status);
}
void file_read_ordered(Process& process, File& fh, void* buf, MPI_Count count, const Datatype& datatype,
                       MPI_Status* status) {
  need_no_split(fh);
  carry_out(process, fh, ordered(fh, kReads, {buf, count, datatype}), status);
}
void file_write_ordered(Process& process, File& fh, const void* buf, MPI_Count count, const Datatype& datatype,
                        MPI_Status* status) {
  need_no_split(fh);
  carry_out(process, fh, ordered(fh, kWrites, {buf, count, datatype}), status);
}

void file_iread_at_all(Process& process, File& fh, MPI_Offset offset, void* buf, MPI_Count count,
                       const Datatype& datatype, MPI_Request* request) {
  need_place_for(request);
  need_no_split(fh);
  begin(process, fh, at_offset(fh, kReads, offset, {buf, count, datatype}), request);
}
void file_iwrite_at_all(Process& process, File& fh, MPI_Offset offset, const void* buf, MPI_Count count,
                        const Datatype& datatype, MPI_Request* request) {
  need_place_for(request);
  need_no_split(fh);
  begin(process, fh, at_offset(fh, kWrites, offset, {buf, count, datatype}), request);
}
void file_iread_all(Process& process, File& fh, void* buf, MPI_Count count, const Datatype& datatype,
                    MPI_Request* request) {
  need_place_for(request);
  need_no_split(fh);
  begin(process, fh, at_own_pointer(fh, kReads, {buf, count, datatype}), request);
}
void file_iwrite_all(Process& process, File& fh, const void* buf, MPI_Count count, const Datatype& datatype,
                     MPI_Request* request) {
  need_place_for(request);
  need_no_split(fh);
  begin(process, fh, at_own_pointer(fh, kWrites, {buf, count, datatype}), request);
}

void file_read_at_all_begin(Process& process, File& fh, MPI_Offset offset, void* buf, MPI_Count count,
                            const Datatype& datatype) {
  need_no_split(fh);
  begin_split(process, fh, at_offset(fh, kReads, offset, {buf, count, datatype}), buf, "MPI_File_read_at_all_end");
}
void file_read_at_all_end(Process& process, File& fh, void* buf, MPI_Status* status) {
  end_split(process, fh, "MPI_File_read_at_all_end", buf, status);
}
void file_write_at_all_begin(Process& process, File& fh, MPI_Offset offset, const void* buf, MPI_Count count,
                             const Datatype& datatype) {
  need_no_split(fh);
  begin_split(process, fh, at_offset(fh, kWrites, offset, {buf, count, datatype}), buf, "MPI_File_write_at_all_end");
}
void file_write_at_all_end(Process& process, File& fh, const void* buf, MPI_Status* status) {
  end_split(process, fh, "MPI_File_write_at_all_end", buf, status);
}
void file_read_all_begin(Process& process, File& fh, void* buf, MPI_Count count, const Datatype& datatype) {
  need_no_split(fh);
  begin_split(process, fh, at_own_pointer(fh, kReads, {buf, count, datatype}), buf, "MPI_File_read_all_end");
}
void file_read_all_end(Process& process, File& fh, void* buf, MPI_Status* status) {
  end_split(process, fh, "MPI_File_read_all_end", buf, status);
}
void file_write_all_begin(Process& process, File& fh, const void* buf, MPI_Count count, const Datatype& datatype) {
  need_no_split(fh);
  begin_split(process, fh, at_own_pointer(fh, kWrites, {buf, count, datatype}), buf, "MPI_File_write_all_end");
}
void file_write_all_end(Process& process, File& fh, const void* buf, MPI_Status* status) {
  end_split(process, fh, "MPI_File_write_all_end", buf, status);
}
void file_read_ordered_begin(Process& process, File& fh, void* buf, MPI_Count count, const Datatype& datatype) {
  need_no_split(fh);
  begin_split(process, fh, ordered(fh, kReads, {buf, count, datatype}), buf, "MPI_File_read_ordered_end");
}
void file_read_ordered_end(Process& process, File& fh, void* buf, MPI_Status* status) {
  end_split(process, fh, "MPI_File_read_ordered_end", buf, status);
}
void file_write_ordered_begin(Process& process, File& fh, const void* buf, MPI_Count count,
                              const Datatype& datatype) {
  need_no_split(fh);
  begin_split(process, fh, ordered(fh, kWrites, {buf, count, datatype}), buf, "MPI_File_write_ordered_end");
}
void file_write_ordered_end(Process& process, File& fh, const void* buf, MPI_Status* status) {
  end_split(process, fh, "MPI_File_write_ordered_end", buf, status);
}

}  // namespace antiphon::api
