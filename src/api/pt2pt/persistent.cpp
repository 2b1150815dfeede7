// Requests that are started again and again: MPI 5.0, 3.9.
#include "engine/pt2pt/persistent.hpp"
#include "api/call.hpp"
#include "api/pt2pt/buffered.hpp"
#include "api/pt2pt/message_arguments.hpp"
#include "api/pt2pt/requests.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;
using objects::PersistentRequest;
using objects::Ref;
using objects::Request;
using pt2pt::Mode;

namespace {

void make_send(Process& process, const pt2pt::Send& send, MPI_Request* request) {
  check::not_null(request, "request");
  *request = handle_of(process, Ref<Request>::adopt(new pt2pt::PersistentSend(process.pt2pt(), send)));
}

// Which buffer it uses is decided at each start.
class PersistentBufferedSend final : public PersistentRequest {
 public:
  PersistentBufferedSend(Process& process, const pt2pt::Send& send)
      : PersistentRequest(Ref<Comm>::share(send.comm)), process_(process), send_(send), type_(send.scattered) {}

 private:
  Ref<Request> begin() override {
    send_buffered(process_, send_);
    return process_.pt2pt().completed_send(send_.comm);
  }

  Process& process_;
  pt2pt::Send send_;
  data::KeptType type_;
};

// One that can be started now.
PersistentRequest& startable(Process& process, MPI_Request handle, const char* argument, int index = -1) {
  Request* found = request_of(process, handle, argument, index);
  if (!found) null_request(argument, index);
  const auto tell = [&](const char* what) {
    base::fail(abi::ERR_REQUEST,
               fmt::format("{}{}={:#x} is {}", argument, index < 0 ? "" : fmt::format("[{}]", index),
                           reinterpret_cast<std::uintptr_t>(handle), what));
  };
  if (found->kind() != Request::Kind::persistent)
    tell("not a persistent request: MPI_Send_init, MPI_Recv_init and similar procedures create those");
  auto& persistent = static_cast<PersistentRequest&>(*found);
  if (persistent.active()) tell("active: it can be started again when MPI_Wait or its kin have said that it is over");
  return persistent;
}

// The call names no communicator: an error is that of the request's.
void start_now(PersistentRequest& request) {
  try {
    request.start();
  } catch (base::Error& error) {
    throw OperationError{std::move(error), request.comm_ref()};
  }
}

}  // namespace

void send_init(Process& process, const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
               Comm& comm, MPI_Request* request) {
  make_send(process, checked_send(buf, count, datatype, dest, tag, comm), request);
}

void rsend_init(Process& process, const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
                Comm& comm, MPI_Request* request) {
  make_send(process, checked_send(buf, count, datatype, dest, tag, comm), request);
}

void ssend_init(Process& process, const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
                Comm& comm, MPI_Request* request) {
  make_send(process, checked_send(buf, count, datatype, dest, tag, comm, Mode::synchronous), request);
}

void bsend_init(Process& process, const void* buf, MPI_Count count, const Datatype& datatype, int dest, int tag,
                Comm& comm, MPI_Request* request) {
  check::not_null(request, "request");
  const pt2pt::Send send = checked_send(buf, count, datatype, dest, tag, comm);
  *request = handle_of(process, Ref<Request>::adopt(new PersistentBufferedSend(process, send)));
}

void recv_init(Process& process, void* buf, MPI_Count count, const Datatype& datatype, int source, int tag,
               Comm& comm, MPI_Request* request) {
  check::not_null(request, "request");
  const pt2pt::Receive receive = checked_receive(buf, count, datatype, source, tag, comm);
  *request = handle_of(process, Ref<Request>::adopt(new pt2pt::PersistentReceive(process.pt2pt(), receive)));
}

void start(Process& process, MPI_Request* request) {
  check::not_null(request, "request");
  start_now(startable(process, *request, "request"));
}

// All of them can be started, or none is; a handle that is given twice is found when its turn comes.
void startall(Process& process, int count, MPI_Request array_of_requests[]) {
  const Requests requests(process, count, array_of_requests, "count");
  for (int i = 0; i < count; ++i) (void)startable(process, requests.handle(i), "array_of_requests", i);
  for (int i = 0; i < count; ++i) start_now(startable(process, requests.handle(i), "array_of_requests", i));
}

}  // namespace antiphon::api
