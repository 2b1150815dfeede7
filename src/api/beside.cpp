#include "api/beside.hpp"

#include "api/call.hpp"
#include "api/fast.hpp"
#include "api/message_arguments.hpp"

namespace antiphon::api {

namespace {

using objects::Ref;
using objects::Request;
using pt2pt::ReceiveRequest;

Process& running() { return *current.running.load(std::memory_order_relaxed); }

// The first handle of a request needs a place in the table.
MPI_Request handle_beside(Process& process, Ref<ReceiveRequest> started) {
  if (started->kept_place() != objects::Reusable::kNoPlace) [[likely]]
    return reinterpret_cast<MPI_Request>(process.requests.insert(std::move(started)));
  const std::lock_guard held(process.lane());
  return reinterpret_cast<MPI_Request>(process.requests.insert(std::move(started)));
}

// A receive that a handle stands for, and of which the lane's holder knows nothing; else null.
const ReceiveRequest* receive_of(const Process& process, MPI_Request handle) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  if (value < objects::kPredefinedHandles) return nullptr;
  const Request* request = process.requests.find(value);
  if (!request || request->kind() != Request::Kind::receive) return nullptr;
  const auto* receive = static_cast<const ReceiveRequest*>(request);
  return receive->scattered() ? nullptr : receive;
}

// Sends that were over at once have this one.
bool is_settled(MPI_Request handle) {
  return handle == MPI_REQUEST_NULL || handle == reinterpret_cast<MPI_Request>(process::kCompletedRequest);
}

}  // namespace

bool beside::try_send(const void* buf, int count, MPI_Datatype datatype, int dest, int tag,
                      MPI_Comm handle) noexcept {
  Process& process = running();
  const PlainMessage message = look_at_message(process, buf, count, datatype, dest, tag, handle);
  return message.comm && process.pt2pt().try_short_send_beside(
                             {buf, message.bytes, dest, tag, *message.comm, message.comm->context()});
}

bool beside::try_isend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm handle,
                       MPI_Request* request) noexcept {
  if (!request || !try_send(buf, count, datatype, dest, tag, handle)) return false;
  *request = reinterpret_cast<MPI_Request>(process::kCompletedRequest);
  return true;
}

bool beside::try_irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm handle,
                       MPI_Request* request) noexcept {
  if (!request) return false;
  Process& process = running();
  const PlainMessage message = look_at_message(process, buf, count, datatype, source, tag, handle);
  if (!message.comm) return false;
  Ref<ReceiveRequest> started = process.pt2pt().try_start_receive_beside(
      {buf, message.bytes, source, tag, *message.comm, message.comm->context()});
  if (!started) return false;
  *request = handle_beside(process, std::move(started));
  return true;
}

bool beside::try_test(MPI_Request* request, int* flag, MPI_Status* status) noexcept {
  if (!request || !flag) return false;
  Process& process = running();
  const ReceiveRequest* tested = receive_of(process, *request);
  if (!tested) return false;
  *flag = process.progress().look_beside([&] { return tested->done(); }) ? 1 : 0;
  if (!*flag) return true;
  if (tested->outcome.error != 0) return false;
  end_plain(process, request, *tested, status);
  return true;
}

bool beside::try_wait(MPI_Request* request, MPI_Status* status) noexcept {
  if (!request) return false;
  Process& process = running();
  const ReceiveRequest* waited = receive_of(process, *request);
  if (!waited || !process.progress().wait_beside([&] { return waited->done(); }) || waited->outcome.error != 0)
    return false;
  end_plain(process, request, *waited, status);
  return true;
}

// All of them are over before the first is concluded.
bool beside::try_waitall(int count, MPI_Request requests[], MPI_Status* statuses) noexcept {
  if (count <= 0 || !requests) return false;
  Process& process = running();
  for (int i = 0; i < count; ++i) {
    if (is_settled(requests[i])) continue;
    const ReceiveRequest* waited = receive_of(process, requests[i]);
    if (!waited || !process.progress().wait_beside([&] { return waited->done(); }) || waited->outcome.error != 0)
      return false;
  }
  for (int i = 0; i < count; ++i) {
    MPI_Status* const status = statuses ? statuses + i : MPI_STATUS_IGNORE;
    if (status) status->MPI_ERROR = MPI_SUCCESS;
    if (is_settled(requests[i])) {
      requests[i] = MPI_REQUEST_NULL;
      set_status(status, kEmptyOutcome);
    } else if (const ReceiveRequest* over = receive_of(process, requests[i])) {
      end_plain(process, &requests[i], *over, status);
    }
  }
  return true;
}

// The lane is for what cannot be received beside it, and for a wait that takes longer.
void recv(Process& process, void* buf, MPI_Count count, const objects::Datatype& datatype, int source, int tag,
          objects::Comm& comm, MPI_Status* status) {
  const pt2pt::Receive receive = checked_receive(buf, count, datatype, source, tag, comm);
  Ref<ReceiveRequest> started;
  if (process.works_beside_lane() && source != abi::PROC_NULL && !receive.scattered)
    started = process.pt2pt().try_start_receive_beside(receive);
  if (started && process.progress().wait_beside([&] { return started->done(); }) && started->outcome.error == 0)
    return set_status(status, started->outcome);
  const std::lock_guard held(process.lane());
  process.call().procedure = "MPI_Recv";
  if (!started) return set_status(status, process.pt2pt().receive(receive));
  set_status(status, process.pt2pt().finish_receive(*started));
}

}  // namespace antiphon::api
