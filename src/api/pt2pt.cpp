// Point-to-point communication: MPI 5.0, chapter 3.
#include "api/call.hpp"
#include "api/check.hpp"
#include "api/status.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;
using objects::Ref;
using objects::Request;

namespace {

// What a call names the arguments of its message: MPI_Sendrecv has two of them.
struct Names {
  const char* buffer = "buf";
  const char* count = "count";
  const char* tag = "tag";
};

// The buffer need not be there when nothing is transferred (MPI 5.0, 3.10).
check::Message checked_message(const Names& names, const void* buf, MPI_Count count, const Datatype& type, int peer) {
  if (peer == abi::PROC_NULL) [[unlikely]]
    return {nullptr, check::bytes(names.count, count, type), {}};
  return check::message(names.buffer, buf, names.count, count, type);
}

pt2pt::Send checked_send(const void* buf, MPI_Count count, const Datatype& type, int dest, int tag, Comm& comm,
                         pt2pt::Mode mode = pt2pt::Mode::standard, const Names& names = {}) {
  check::destination("dest", dest, comm);
  check::send_tag(names.tag, tag);
  const check::Message message = checked_message(names, buf, count, type, dest);
  // Field by field, so that they stay in registers.
  return {message.buffer, message.bytes,  dest, tag,
          comm,           comm.context(), mode, {message.scattered.type, message.scattered.count}};
}

pt2pt::Receive checked_receive(void* buf, MPI_Count count, const Datatype& type, int source, int tag, Comm& comm,
                               const Names& names = {}) {
  check::source("source", source, comm);
  check::receive_tag(names.tag, tag);
  const check::Message message = checked_message(names, buf, count, type, source);
  return {message.buffer,
          message.bytes,
          source,
          tag,
          comm,
          comm.context(),
          {message.scattered.type, message.scattered.count}};
}

pt2pt::Envelope checked_envelope(int source, int tag, const Comm& comm) {
  check::source("source", source, comm);
  check::receive_tag("tag", tag);
  return {comm.context(), source, tag};
}

MPI_Request handle_of(Process& process, Ref<Request> started) {
  if (!started) return reinterpret_cast<MPI_Request>(process::kCompletedRequest);
  return reinterpret_cast<MPI_Request>(process.requests.insert(std::move(started)));
}

void start_send(Process& process, const pt2pt::Send& send, MPI_Request* request) {
  check::not_null(request, "request");
  *request = handle_of(process, process.pt2pt().start_send(send));
}

}  // namespace

void send(Process& process, const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
          Comm& comm) {
  process.pt2pt().send(checked_send(buf, count, datatype, dest, tag, comm));
}

void ssend(Process& process, const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
           Comm& comm) {
  process.pt2pt().send(checked_send(buf, count, datatype, dest, tag, comm, pt2pt::Mode::synchronous));
}

void isend(Process& process, const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
           Comm& comm, MPI_Request* request) {
  start_send(process, checked_send(buf, count, datatype, dest, tag, comm), request);
}

void issend(Process& process, const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Comm& comm, MPI_Request* request) {
  start_send(process, checked_send(buf, count, datatype, dest, tag, comm, pt2pt::Mode::synchronous), request);
}

void recv(Process& process, void* buf, MPI_Count count, const Datatype& datatype, int source, int tag, Comm& comm,
          MPI_Status* status) {
  set_status(status, process.pt2pt().receive(checked_receive(buf, count, datatype, source, tag, comm)));
}

void irecv(Process& process, void* buf, MPI_Count count, const Datatype& datatype, int source, int tag, Comm& comm,
           MPI_Request* request) {
  check::not_null(request, "request");
  const pt2pt::Receive receive = checked_receive(buf, count, datatype, source, tag, comm);
  *request = handle_of(process, process.pt2pt().start_receive(receive));
}

void sendrecv(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype& sendtype, int dest,
              int sendtag, void* recvbuf, MPI_Count recvcount, const Datatype& recvtype, int source, int recvtag,
              Comm& comm, MPI_Status* status) {
  const pt2pt::Send out = checked_send(sendbuf, sendcount, sendtype, dest, sendtag, comm, pt2pt::Mode::standard,
                                       {"sendbuf", "sendcount", "sendtag"});
  const pt2pt::Receive in =
      checked_receive(recvbuf, recvcount, recvtype, source, recvtag, comm, {"recvbuf", "recvcount", "recvtag"});
  const auto receiving = process.pt2pt().start_receive(in);
  process.pt2pt().send(out);
  process.pt2pt().wait(*receiving);
  if (receiving->outcome.error != 0) base::fail(receiving->outcome.error, *receiving->error_text);
  set_status(status, receiving->outcome);
}

void probe(Process& process, int source, int tag, Comm& comm, MPI_Status* status) {
  set_status(status, process.pt2pt().probe(checked_envelope(source, tag, comm), comm));
}

void iprobe(Process& process, int source, int tag, Comm& comm, int* flag, MPI_Status* status) {
  check::not_null(flag, "flag");
  const pt2pt::Envelope wanted = checked_envelope(source, tag, comm);
  objects::Outcome outcome;
  *flag = process.progress().look([&] { return process.pt2pt().probe_now(wanted, &outcome); }) ? 1 : 0;
  if (*flag) set_status(status, outcome);
}

}  // namespace antiphon::api
