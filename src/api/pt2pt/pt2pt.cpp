// Point-to-point communication: MPI 5.0, chapter 3.
#include "api/call.hpp"
#include "api/pt2pt/message_arguments.hpp"
#include "api/pt2pt/status.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;

namespace {

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

// In ready mode the receive has been posted, says the program. Nothing here would become faster by that, so such a
// send is a standard one, and a program that is wrong about it works nevertheless.
void rsend(Process& process, const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
           Comm& comm) {
  process.pt2pt().send(checked_send(buf, count, datatype, dest, tag, comm));
}

void isend(Process& process, const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
           Comm& comm, MPI_Request* request) {
  start_send(process, checked_send(buf, count, datatype, dest, tag, comm), request);
}

void issend(Process& process, const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Comm& comm, MPI_Request* request) {
  start_send(process, checked_send(buf, count, datatype, dest, tag, comm, pt2pt::Mode::synchronous), request);
}

void irsend(Process& process, const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
            Comm& comm, MPI_Request* request) {
  start_send(process, checked_send(buf, count, datatype, dest, tag, comm), request);
}

void irecv(Process& process, void* buf, MPI_Count count, const Datatype& datatype, int source, int tag, Comm& comm,
           MPI_Request* request) {
  check::not_null(request, "request");
  const pt2pt::Receive receive = checked_receive(buf, count, datatype, source, tag, comm);
  *request = handle_of(process, process.pt2pt().start_receive(receive));
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
