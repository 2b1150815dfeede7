// A send and a receive in one call: MPI 5.0, 3.11.
#include "api/call.hpp"
#include "api/pt2pt/message_arguments.hpp"
#include "api/pt2pt/status.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;
using objects::Ref;
using objects::Request;
using pt2pt::Mode;
using pt2pt::Receive;
using pt2pt::Send;

namespace {

constexpr MessageNames kSendNames{"sendbuf", "sendcount", "sendtag"};
constexpr MessageNames kReceiveNames{"recvbuf", "recvcount", "recvtag"};

// Both directions, checked before either begins.
struct SendReceive {
  Send out;
  Receive in;
  std::unique_ptr<std::byte[]> copy = {};  // what is sent, where its own place is for what is received
};

SendReceive with_replacement(void* buf, MPI_Count count, const Datatype& type, int dest, int sendtag, int source,
                             int recvtag, Comm& comm) {
  SendReceive both{checked_send(buf, count, type, dest, sendtag, comm, Mode::standard, {.tag = "sendtag"}),
                   checked_receive(buf, count, type, source, recvtag, comm, {.tag = "recvtag"})};
  Send& out = both.out;
  if (dest == abi::PROC_NULL || source == abi::PROC_NULL) return both;  // nothing is overwritten while it is sent
  both.copy = std::make_unique_for_overwrite<std::byte[]>(out.bytes);
  const auto* from = static_cast<const std::byte*>(out.buffer);
  data::pack_part(from, out.scattered, 0, both.copy.get(), out.bytes);
  out.buffer = both.copy.get();
  out.scattered = {};
  return both;
}

void run_exchange(Process& process, const SendReceive& both, MPI_Status* status) {
  const auto receiving = process.pt2pt().start_receive(both.in);
  process.pt2pt().send(both.out);
  process.progress().wait(*receiving);
  set_status(status, receiving->need_success());
}

// The status is the receive's, which therefore comes first.
void start_exchange(Process& process, SendReceive both, MPI_Request* request) {
  pt2pt::CombinedRequest::Parts parts;
  parts.reserve(2);
  parts.emplace_back(process.pt2pt().start_receive(both.in));
  if (Ref<Request> sending = process.pt2pt().start_send(both.out)) parts.push_back(std::move(sending));
  *request = handle_of(process, process.combined().start(both.in.comm, std::move(parts), std::move(both.copy)));
}

}  // namespace

void sendrecv(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype& sendtype, int dest,
              int sendtag, void* recvbuf, MPI_Count recvcount, const Datatype& recvtype, int source, int recvtag,
              Comm& comm, MPI_Status* status) {
  run_exchange(process,
               {checked_send(sendbuf, sendcount, sendtype, dest, sendtag, comm, Mode::standard, kSendNames),
                checked_receive(recvbuf, recvcount, recvtype, source, recvtag, comm, kReceiveNames)},
               status);
}

void sendrecv_replace(Process& process, void* buf, MPI_Count count, const Datatype& datatype, int dest, int sendtag,
                      int source, int recvtag, Comm& comm, MPI_Status* status) {
  run_exchange(process, with_replacement(buf, count, datatype, dest, sendtag, source, recvtag, comm), status);
}

void isendrecv(Process& process, const void* sendbuf, MPI_Count sendcount, const Datatype& sendtype, int dest,
               int sendtag, void* recvbuf, MPI_Count recvcount, const Datatype& recvtype, int source, int recvtag,
               Comm& comm, MPI_Request* request) {
  check::not_null(request, "request");
  start_exchange(process,
                 {checked_send(sendbuf, sendcount, sendtype, dest, sendtag, comm, Mode::standard, kSendNames),
                  checked_receive(recvbuf, recvcount, recvtype, source, recvtag, comm, kReceiveNames)},
                 request);
}

void isendrecv_replace(Process& process, void* buf, MPI_Count count, const Datatype& datatype, int dest, int sendtag,
                       int source, int recvtag, Comm& comm, MPI_Request* request) {
  check::not_null(request, "request");
  start_exchange(process, with_replacement(buf, count, datatype, dest, sendtag, source, recvtag, comm), request);
}

}  // namespace antiphon::api
