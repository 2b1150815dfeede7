// Resolves the user's request handles, and ends them: shared by all calls that wait, test or look. A persistent
// request stands for the operation that it has started. An inactive one is, like MPI_REQUEST_NULL, nothing to wait
// for (MPI 5.0, 3.7.3).
#pragma once

#include "api/call.hpp"
#include "api/check.hpp"
#include "api/pt2pt/status.hpp"
#include "objects/persistent.hpp"

namespace antiphon::api {

[[noreturn, gnu::cold]] void no_request(std::uintptr_t value, const char* argument, int index);
// For calls that need more than MPI_REQUEST_NULL.
[[noreturn, gnu::cold]] void null_request(const char* argument, int index);

// The request itself. Null for MPI_REQUEST_NULL.
inline objects::Request* request_of(Process& process, MPI_Request handle, const char* argument, int index = -1) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  if (value == abi::REQUEST_NULL) return nullptr;
  objects::Request* found = process.requests.find(value);
  if (!found) [[unlikely]]
    no_request(value, argument, index);
  return found;
}

namespace unusual {
// For a request that is not simply an operation.
[[gnu::cold]] objects::Request* operation_of(objects::Request& request, MPI_Request handle, const char* argument,
                                             int index);
}  // namespace unusual

// The operation under way, or over and not concluded; null where there is none to wait for.
inline objects::Request* operation_of(Process& process, MPI_Request handle, const char* argument, int index = -1) {
  objects::Request* found = request_of(process, handle, argument, index);
  if (found && found->kind() >= objects::Request::Kind::generalized) [[unlikely]]
    return unusual::operation_of(*found, handle, argument, index);
  return found;
}

// What went wrong with the first operation that failed; empty for none.
using Failure = std::unique_ptr<OperationError>;

// What only some requests need at their end.
namespace unusual {
[[gnu::cold]] int note_failure(const objects::Request& operation, Failure* failure);
// What the user's callbacks say of a generalized request (MPI 5.0, 13.2). With `ends` it is over, and freed.
[[gnu::cold]] int ask_generalized(Process& process, objects::Request& operation, bool ends, MPI_Status* status,
                                  Failure* failure);
// The end of a generalized request, or of what a persistent one has begun, which becomes inactive and keeps its
// handle.
[[gnu::cold]] int conclude(Process& process, MPI_Request* handle, objects::Request& operation, MPI_Status* status,
                           Failure* failure);
}  // namespace unusual

// Takes the handle away.
inline void release(Process& process, MPI_Request* handle) {
  const auto value = reinterpret_cast<std::uintptr_t>(*handle);
  if (value >= objects::kPredefinedHandles) (void)process.requests.erase(value);
  *handle = MPI_REQUEST_NULL;
}

// Ends an operation that is over: its status and its handle to the user. Returns its error class.
inline int conclude(Process& process, MPI_Request* handle, objects::Request& operation, MPI_Status* status,
                    Failure* failure) {
  if (operation.ends_unusually()) [[unlikely]]
    return unusual::conclude(process, handle, operation, status, failure);
  set_status(status, operation.outcome);
  const int error = operation.outcome.error;
  if (error != 0) [[unlikely]]
    unusual::note_failure(operation, failure);
  release(process, handle);
  return error;
}

// For a call that concludes one operation.
inline void conclude(Process& process, MPI_Request* handle, objects::Request& operation, MPI_Status* status) {
  Failure failure;
  if (conclude(process, handle, operation, status, &failure) != 0) [[unlikely]]
    throw std::move(*failure);
}

// Tells the status of an operation that is over and goes on to exist, as MPI_Request_get_status does. Returns its
// error class.
inline int peek(Process& process, objects::Request& operation, MPI_Status* status, Failure* failure) {
  if (operation.kind() == objects::Request::Kind::generalized)
    return unusual::ask_generalized(process, operation, false, status, failure);
  set_status(status, operation.outcome);
  return operation.outcome.error == 0 ? 0 : unusual::note_failure(operation, failure);
}

// The failure of one of several operations: a code of its own in its status, and the first of them for tell().
[[gnu::cold]] void note_among_several(Process& process, Failure own, MPI_Status* status, Failure* failure);

// For a call that is told of several operations: which failed is in their statuses.
inline void tell(const Failure& failure) {
  if (failure) [[unlikely]]
    throw OperationError{{abi::ERR_IN_STATUS, "at least one operation failed, the first so: " + failure->message},
                         failure->object};
}

// An array of requests, as one call looks at it.
class Requests {
 public:
  using Request = objects::Request;

  Requests(Process& process, int count, const MPI_Request* handles, const char* count_name) : process_(process) {
    if (count < 0) check::cold::bad_count(count_name, count);
    if (count > 0) check::not_null(handles, "array_of_requests");
    handles_ = {handles, static_cast<std::size_t>(count)};
  }

  [[nodiscard]] int size() const { return static_cast<int>(handles_.size()); }
  [[nodiscard]] MPI_Request handle(int index) const { return handles_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] Request* at(int index) const {
    return operation_of(process_, handle(index), "array_of_requests", index);
  }
  // What handle(index) stands for, after check() has found that to be simply an operation. It is over by now if it is
  // here twice.
  [[nodiscard]] Request* checked(int index) const {
    const auto value = reinterpret_cast<std::uintptr_t>(handle(index));
    Request* const found = process_.requests.find_again(value);
    if (!found) [[unlikely]]
      no_request(value, "array_of_requests", index);
    return found;
  }
  // Nothing remains to be waited for: no look at the table, as most sends are over at once.
  [[nodiscard]] bool settled(int index) const {
    const auto value = reinterpret_cast<std::uintptr_t>(handle(index));
    return value < objects::kPredefinedHandles && (value == process::kCompletedRequest || value == abi::REQUEST_NULL);
  }

  // The first that is done, or -1.
  [[nodiscard]] int first_done() const {
    for (int i = 0; i < size(); ++i)
      if (const Request* request = at(i); request && request->done()) return i;
    return -1;
  }
  [[nodiscard]] bool any_active() const {
    for (int i = 0; i < size(); ++i)
      if (at(i)) return true;
    return false;
  }
  [[nodiscard]] bool all_done() const {
    for (int i = 0; i < size(); ++i)
      if (const Request* request = at(i); request && !request->done()) return false;
    return true;
  }
  // For the report of a hang: the first that is not done.
  [[nodiscard]] progress::WaitReason reason() const {
    for (int i = 0; i < size(); ++i)
      if (const Request* request = at(i); request && !request->done()) return request->reason();
    return {};
  }
  // That all of them are requests, before anything happens to the first. True if all are simply operations.
  [[nodiscard]] bool check() const {
    bool simple = true;
    for (int i = 0; i < size(); ++i)
      if (!settled(i)) {
        simple &= request_of(process_, handle(i), "array_of_requests", i)->kind() < Request::Kind::generalized;
        if (!simple) (void)at(i);
      }
    return simple;
  }

 private:
  Process& process_;
  std::span<const MPI_Request> handles_;
};

// How the calls begin that are about one of several. `until(done)` looks whether done() holds, or waits for it. True:
// *index is the first that is over, for the call to end it or to tell of it. False: none is, as *flag says, or none
// is active, which counts as over.
template <class Until>
bool find_any(const Requests& requests, int* index, int* flag, MPI_Status* status, Until&& until) {
  *index = abi::UNDEFINED;
  *flag = 1;
  if (!requests.any_active()) {
    set_empty_status(status);
    return false;
  }
  int done = -1;
  *flag = until([&] { return (done = requests.first_done()) >= 0; }) ? 1 : 0;
  if (*flag) *index = done;
  return *flag != 0;
}

}  // namespace antiphon::api
