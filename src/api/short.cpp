// The fast paths of api/short.hpp for several threads, and MPI_Recv, whose body takes the lane itself, only when it
// needs it.
#include "api/short.hpp"

#include "api/call.hpp"
#include "api/pt2pt/message_arguments.hpp"

namespace antiphon::api {

namespace {

using objects::Ref;
using objects::Request;
using pt2pt::ReceiveRequest;

// The receive that `handle` stands for, if it can complete without the lane; else null. A receive into scattered
// memory needs the lane.
const ReceiveRequest* receive_of(const Process& process, MPI_Request handle) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  if (value < objects::kPredefinedHandles) return nullptr;
  const Request* request = process.requests.find(value);
  if (!request || request->kind() != Request::Kind::receive) return nullptr;
  const auto* receive = static_cast<const ReceiveRequest*>(request);
  return receive->scattered() ? nullptr : receive;
}

// Sends that completed inside MPI_Isend have the handle kCompletedRequest.
bool is_settled(MPI_Request handle) {
  return handle == MPI_REQUEST_NULL || handle == reinterpret_cast<MPI_Request>(process::kCompletedRequest);
}

// Waits for a limited time. True if the receive is complete and without an error.
[[gnu::always_inline]] inline bool ends_well(Process& process, const ReceiveRequest& receive) {
  const auto over = [&] { return receive.done(); };
  return (over() || process.progress().try_wait(over)) && receive.outcome.error == 0;
}

}  // namespace

bool shared::try_irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm handle,
                       MPI_Request* request) noexcept {
  if (!is_address(request)) return false;
  Process& process = *look_at_open_process();
  const PlainMessage message = look_at_message(process, buf, count, datatype, source, tag, handle);
  if (!message.comm) return false;
  ReceiveRequest* const started = process.pt2pt().matching().start_receive(
      {buf, message.bytes, source, tag, *message.comm, message.comm->user_space()}, nullptr);
  if (started) *request = reinterpret_cast<MPI_Request>(process.requests.open(*started));
  return started != nullptr;
}

bool shared::try_test(MPI_Request* request, int* flag, MPI_Status* status) noexcept {
  if (!is_address(request) || !is_address(flag)) return false;
  Process& process = *look_at_open_process();
  const ReceiveRequest* tested = receive_of(process, *request);
  if (!tested) return false;
  const bool over = process.progress().try_look([&] { return tested->done(); });
  if (over && (tested->outcome.error != 0 || !may_get_status(status))) return false;
  *flag = over ? 1 : 0;
  if (over) end_plain(process, request, *tested, status);
  return true;
}

bool shared::try_wait(MPI_Request* request, MPI_Status* status) noexcept {
  Process& process = *look_at_open_process();
  const ReceiveRequest* waited = is_address(request) ? receive_of(process, *request) : nullptr;
  if (!waited || !may_get_status(status) || !ends_well(process, *waited)) return false;
  end_plain(process, request, *waited, status);
  return true;
}

// Frees no request before all are complete: until then the full path can still take over.
bool shared::try_waitall(int count, MPI_Request requests[], MPI_Status* statuses) noexcept {
  if (count <= 0 || !is_address(requests) || !may_get_status(statuses)) return false;
  Process& process = *look_at_open_process();
  for (int i = 0; i < count; ++i) {
    if (is_settled(requests[i])) continue;
    const ReceiveRequest* waited = receive_of(process, requests[i]);
    if (!waited || !ends_well(process, *waited)) return false;
  }
  for (int i = 0; i < count; ++i) {
    MPI_Status* const status = statuses ? statuses + i : MPI_STATUS_IGNORE;
    if (status) status->MPI_ERROR = MPI_SUCCESS;
    if (is_settled(requests[i])) {
      requests[i] = MPI_REQUEST_NULL;
      set_empty_status(status);
    } else if (const ReceiveRequest* over = receive_of(process, requests[i])) {
      end_plain(process, &requests[i], *over, status);
    }
  }
  return true;
}

// Once the receive has started, the call cannot fall back to another entry point, so this function also contains the
// slow path. It takes the lane for receives that need it, and to wait longer than ends_well() does.
void recv(Process& process, void* buf, MPI_Count count, const objects::Datatype& datatype, int source, int tag,
          objects::Comm& comm, MPI_Status* status) {
  const pt2pt::Receive receive = checked_receive(buf, count, datatype, source, tag, comm);
  std::unique_lock held(process.lane(), std::defer_lock);  // unlocked after all else is destroyed
  Ref<ReceiveRequest> started;
  if (look_at_open_process() && source != abi::PROC_NULL) [[likely]]
    started = Ref<ReceiveRequest>::adopt(process.pt2pt().matching().start_receive(receive, nullptr));
  if (started && (started->done() || process.serves_threads()) && ends_well(process, *started))
    return set_status(status, started->outcome);
  held.lock();
  process.call().procedure = "MPI_Recv";
  if (!started) started = process.pt2pt().start_receive(receive);
  process.progress().wait(*started);
  set_status(status, started->need_success());
}

}  // namespace antiphon::api
