// Reads and writes of one process: at an offset, or where its own pointer or the shared one is, blocking or not:
// MPI 5.0, 14.4.2 to 14.4.4. Pointers move when a call begins, so nonblocking operations follow one another as
// blocking ones do.
#include "api/files/file_arguments.hpp"
#include "api/pt2pt/message_arguments.hpp"

namespace antiphon::api {

using objects::Datatype;

namespace {

struct Checked {
  std::int64_t position;  // in bytes of the view
  data::Buffer memory;
};

std::int64_t etypes_of(const File& file, const data::Buffer& memory) {
  return static_cast<std::int64_t>(memory.bytes()) / file.view().etype_bytes();
}

Checked at_offset(const File& file, io::Direction direction, std::int64_t offset, const FileMemory& memory) {
  need_not_sequential(file);
  const data::Buffer buffer = checked_memory(file, direction, memory);
  return {checked_position(file, "offset", offset, static_cast<std::int64_t>(buffer.bytes())), buffer};
}

Checked at_own_pointer(File& file, io::Direction direction, const FileMemory& memory) {
  Checked checked = at_offset(file, direction, file.position(), memory);
  file.set_position(file.position() + etypes_of(file, checked.memory));
  return checked;
}

Checked at_shared_pointer(File& file, io::Direction direction, const FileMemory& memory) {
  const data::Buffer buffer = checked_memory(file, direction, memory);
  const std::int64_t offset = file.state().shared_pointer().fetch_and_add(etypes_of(file, buffer));
  return {checked_position(file, "the shared pointer", offset, static_cast<std::int64_t>(buffer.bytes())), buffer};
}

void carry_out(Process& process, File& file, io::Direction direction, const Checked& what, MPI_Status* status) {
  set_file_status(status, process.open_files().access(file, direction, what.position, what.memory));
}

void begin(Process& process, File& file, io::Direction direction, const Checked& what, MPI_Request* request) {
  *request = handle_of(process, process.open_files().start_access(file, direction, what.position, what.memory));
}

void need_place_for(MPI_Request* request) {
  check::not_null(request, "request");
  *request = MPI_REQUEST_NULL;
}

}  // namespace

void file_read_at(Process& process, File& fh, MPI_Offset offset, void* buf, MPI_Count count, const Datatype& datatype,
                  MPI_Status* status) {
  carry_out(process, fh, kReads, at_offset(fh, kReads, offset, {buf, count, datatype}), status);
}
void file_write_at(Process& process, File& fh, MPI_Offset offset, const void* buf, MPI_Count count,
                   const Datatype& datatype, MPI_Status* status) {
  carry_out(process, fh, kWrites, at_offset(fh, kWrites, offset, {buf, count, datatype}), status);
}
void file_read(Process& process, File& fh, void* buf, MPI_Count count, const Datatype& datatype, MPI_Status* status) {
  carry_out(process, fh, kReads, at_own_pointer(fh, kReads, {buf, count, datatype}), status);
}
void file_write(Process& process, File& fh, const void* buf, MPI_Count count, const Datatype& datatype,
                MPI_Status* status) {
  carry_out(process, fh, kWrites, at_own_pointer(fh, kWrites, {buf, count, datatype}), status);
}
void file_read_shared(Process& process, File& fh, void* buf, MPI_Count count, const Datatype& datatype,
                      MPI_Status* status) {
  carry_out(process, fh, kReads, at_shared_pointer(fh, kReads, {buf, count, datatype}), status);
}
void file_write_shared(Process& process, File& fh, const void* buf, MPI_Count count, const Datatype& datatype,
                       MPI_Status* status) {
  carry_out(process, fh, kWrites, at_shared_pointer(fh, kWrites, {buf, count, datatype}), status);
}

void file_iread_at(Process& process, File& fh, MPI_Offset offset, void* buf, MPI_Count count,
                   const Datatype& datatype, MPI_Request* request) {
  need_place_for(request);
  begin(process, fh, kReads, at_offset(fh, kReads, offset, {buf, count, datatype}), request);
}
void file_iwrite_at(Process& process, File& fh, MPI_Offset offset, const void* buf, MPI_Count count,
                    const Datatype& datatype, MPI_Request* request) {
  need_place_for(request);
  begin(process, fh, kWrites, at_offset(fh, kWrites, offset, {buf, count, datatype}), request);
}
void file_iread(Process& process, File& fh, void* buf, MPI_Count count, const Datatype& datatype,
                MPI_Request* request) {
  need_place_for(request);
  begin(process, fh, kReads, at_own_pointer(fh, kReads, {buf, count, datatype}), request);
}
void file_iwrite(Process& process, File& fh, const void* buf, MPI_Count count, const Datatype& datatype,
                 MPI_Request* request) {
  need_place_for(request);
  begin(process, fh, kWrites, at_own_pointer(fh, kWrites, {buf, count, datatype}), request);
}
void file_iread_shared(Process& process, File& fh, void* buf, MPI_Count count, const Datatype& datatype,
                       MPI_Request* request) {
  need_place_for(request);
  begin(process, fh, kReads, at_shared_pointer(fh, kReads, {buf, count, datatype}), request);
}
void file_iwrite_shared(Process& process, File& fh, const void* buf, MPI_Count count, const Datatype& datatype,
                        MPI_Request* request) {
  need_place_for(request);
  begin(process, fh, kWrites, at_shared_pointer(fh, kWrites, {buf, count, datatype}), request);
}

}  // namespace antiphon::api
