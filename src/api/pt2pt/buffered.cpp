// Buffered sends and the buffers for them: MPI 5.0, 3.4 and 3.6.
#include "api/pt2pt/buffered.hpp"

#include "api/call.hpp"
#include "api/pt2pt/message_arguments.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;
using objects::Session;
using pt2pt::SendBuffer;
using Owner = pt2pt::BufferedSends::Owner;

namespace {

constexpr Owner kProcess = nullptr;

// An empty buffer is none, as the idiom demands that puts back what MPI_Buffer_detach returned.
void attach(Process& process, Owner owner, const std::string& title, void* buffer, MPI_Count size) {
  if (size < 0) base::fail(abi::ERR_ARG, fmt::format("size={} is negative (valid: 0 or more bytes)", size));
  const bool automatic = buffer == MPI_BUFFER_AUTOMATIC;
  if (!automatic && size == 0) return;
  if (!automatic && !is_address(buffer))
    base::fail(abi::ERR_BUFFER, fmt::format("buffer is {}, but has size={} bytes: pass its address, or "
                                            "MPI_BUFFER_AUTOMATIC",
                                            check::shown(buffer), size));
  auto made = automatic
                  ? std::make_unique<SendBuffer>()
                  : std::make_unique<SendBuffer>(static_cast<std::byte*>(buffer), static_cast<std::size_t>(size));
  if (!process.buffered().attach(owner, std::move(made)))
    base::fail(abi::ERR_BUFFER, title + " has a buffer attached already: detach that first");
}

void detach(Process& process, Owner owner, void* buffer_addr, MPI_Count* size) {
  check::not_null(buffer_addr, "buffer_addr");
  check::not_null(size, "size");
  const std::unique_ptr<SendBuffer> detached = process.buffered().detach(owner);
  const bool automatic = detached && detached->automatic();
  *static_cast<void**>(buffer_addr) = automatic ? MPI_BUFFER_AUTOMATIC : detached ? detached->start() : nullptr;
  *size = detached ? static_cast<MPI_Count>(detached->bytes()) : 0;
}

void flush_later(Process& process, Owner owner, Comm& comm, MPI_Request* request) {
  check::not_null(request, "request");
  *request = handle_of(process, process.buffered().start_flush(owner, comm));
}

}  // namespace

void bsend(Process& process, const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
           Comm& comm) {
  send_buffered(process, checked_send(buf, count, datatype, dest, tag, comm));
}

// Over when it returns: the message has gone, or has been copied.
void ibsend(Process& process, const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Comm& comm, MPI_Request* request) {
  check::not_null(request, "request");
  send_buffered(process, checked_send(buf, count, datatype, dest, tag, comm));
  *request = handle_of(process, {});
}

void buffer_attach(Process& process, void* buffer, MPI_Count size) {
  attach(process, kProcess, "the process", buffer, size);
}
void buffer_detach(Process& process, void* buffer_addr, MPI_Count* size) {
  detach(process, kProcess, buffer_addr, size);
}
void buffer_flush(Process& process) { process.buffered().flush(kProcess, process.self()); }
void buffer_iflush(Process& process, MPI_Request* request) {
  flush_later(process, kProcess, process.self(), request);
}

void comm_attach_buffer(Process& process, Comm& comm, void* buffer, MPI_Count size) {
  attach(process, &comm, comm.name(), buffer, size);
}
void comm_detach_buffer(Process& process, Comm& comm, void* buffer_addr, MPI_Count* size) {
  detach(process, &comm, buffer_addr, size);
}
void comm_flush_buffer(Process& process, Comm& comm) { process.buffered().flush(&comm, comm); }
void comm_iflush_buffer(Process& process, Comm& comm, MPI_Request* request) {
  flush_later(process, &comm, comm, request);
}

void session_attach_buffer(Process& process, Session& session, void* buffer, MPI_Count size) {
  attach(process, &session, session.title(), buffer, size);
}
void session_detach_buffer(Process& process, Session& session, void* buffer_addr, MPI_Count* size) {
  detach(process, &session, buffer_addr, size);
}
void session_flush_buffer(Process& process, Session& session) { process.buffered().flush(&session, process.self()); }
void session_iflush_buffer(Process& process, Session& session, MPI_Request* request) {
  flush_later(process, &session, process.self(), request);
}

}  // namespace antiphon::api
