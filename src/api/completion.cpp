// Waiting for and testing requests: MPI 5.0, 3.7.3 to 3.7.5.
#include <algorithm>

#include "api/call.hpp"
#include "api/check.hpp"
#include "api/status.hpp"

namespace antiphon::api {

using objects::Request;

namespace {

[[noreturn, gnu::cold, gnu::noinline]] void no_request(std::uintptr_t value, const char* argument, int index) {
  base::fail(abi::ERR_REQUEST,
             fmt::format("{}{}={:#x} is no request: it was freed, completed before, or never started", argument,
                         index < 0 ? "" : fmt::format("[{}]", index), value));
}

// Null for MPI_REQUEST_NULL.
inline Request* resolve(Process& process, MPI_Request handle, const char* argument, int index = -1) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  if (value == abi::REQUEST_NULL) return nullptr;
  Request* found = process.requests.find(value);
  if (!found) [[unlikely]]
    no_request(value, argument, index);
  return found;
}

// A handle of which nothing remains to be waited for: no look at the table, as most sends are over at once.
inline bool settled(MPI_Request handle) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  return value < objects::kPredefinedHandles && (value == process::kCompletedRequest || value == abi::REQUEST_NULL);
}

inline void release(Process& process, MPI_Request* handle) {
  const auto value = reinterpret_cast<std::uintptr_t>(*handle);
  if (value >= objects::kPredefinedHandles) (void)process.requests.erase(value);
  *handle = MPI_REQUEST_NULL;
}

// Ends the request: its status to the user, its handle away. Throws if the operation failed.
void conclude(Process& process, MPI_Request* handle, Request& request, MPI_Status* status) {
  set_status(status, request.kind() == Request::Kind::receive ? request.outcome : kEmptyOutcome);
  const int error = request.outcome.error;
  if (error == 0) [[likely]]
    return release(process, handle);
  OperationError failure{{error, *request.error_text}, objects::Ref<objects::Comm>::share(request.comm())};
  release(process, handle);
  throw failure;
}

// A view of an array of requests that one call waits for.
class Requests {
 public:
  Requests(Process& process, int count, MPI_Request* handles, const char* count_name) : process_(process) {
    if (count < 0) check::cold::bad_count(count_name, count);
    if (count > 0) check::not_null(handles, "array_of_requests");
    handles_ = {handles, static_cast<std::size_t>(count)};
  }

  [[nodiscard]] int size() const { return static_cast<int>(handles_.size()); }
  [[nodiscard]] MPI_Request* handle(int index) const { return &handles_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] Request* at(int index) const { return resolve(process_, *handle(index), "array_of_requests", index); }

  // The first that is done, or -1.
  [[nodiscard]] int first_done() const {
    for (int i = 0; i < size(); ++i)
      if (const Request* request = at(i); request && request->done()) return i;
    return -1;
  }
  [[nodiscard]] bool any_active() const {
    return std::any_of(handles_.begin(), handles_.end(), [](MPI_Request r) { return r != MPI_REQUEST_NULL; });
  }
  [[nodiscard]] bool all_done() const {
    for (int i = 0; i < size(); ++i)
      if (const Request* request = at(i); request && !request->done()) return false;
    return true;
  }
  // For the report of a hang: the first that is not done.
  [[nodiscard]] progress::WaitReason reason() const {
    for (int i = 0; i < size(); ++i)
      if (const Request* request = at(i); request && !request->done()) return pt2pt::PointToPoint::reason(*request);
    return {};
  }

  // That all of them are requests, before anything happens to the first.
  void check() const {
    for (int i = 0; i < size(); ++i)
      if (!settled(*handle(i))) (void)at(i);
  }

  // Status and handle of each in MPI_Waitall's manner: all are concluded, then failures are told. `wait(request)` is
  // called for each first, so that one is concluded while others are still under way.
  template <class Wait>
  void conclude_all(MPI_Status* statuses, Wait&& wait) const {
    FirstFailure failure;
    for (int i = 0; i < size(); ++i) conclude_one(i, statuses ? statuses + i : nullptr, wait, &failure);
    failure.tell();
  }

  // Concludes what is done in MPI_Waitsome's manner.
  void conclude_some(int* outcount, int indices[], MPI_Status* statuses) const {
    *outcount = 0;
    FirstFailure failure;
    for (int i = 0; i < size(); ++i) {
      const Request* request = at(i);
      if (!request || !request->done()) continue;
      conclude_one(
          i, statuses ? statuses + *outcount : nullptr, [](Request&) {}, &failure);
      indices[(*outcount)++] = i;
    }
    failure.tell();
  }

 private:
  // What a call that completes several operations says of those that failed.
  struct FirstFailure {
    objects::Ref<objects::Comm> comm;
    std::string text;

    void note(const Request& request) {
      if (comm) return;
      comm = objects::Ref<objects::Comm>::share(request.comm());
      text = *request.error_text;
    }
    void tell() const {
      if (comm) [[unlikely]]
        throw OperationError{{abi::ERR_IN_STATUS, "at least one operation failed, the first so: " + text}, comm};
    }
  };

  template <class Wait>
  void conclude_one(int index, MPI_Status* status, Wait&& wait, FirstFailure* failure) const {
    if (settled(*handle(index))) {
      *handle(index) = MPI_REQUEST_NULL;
      set_status(status, kEmptyOutcome);
      if (status) status->MPI_ERROR = MPI_SUCCESS;
      return;
    }
    Request& request = *at(index);
    wait(request);
    if (request.outcome.error != 0) [[unlikely]]
      failure->note(request);
    set_status(status, request.kind() == Request::Kind::receive ? request.outcome : kEmptyOutcome);
    if (status) status->MPI_ERROR = request.outcome.error;
    release(process_, handle(index));
  }

  Process& process_;
  std::span<MPI_Request> handles_;
};

}  // namespace

void wait(Process& process, MPI_Request* request, MPI_Status* status) {
  check::not_null(request, "request");
  Request* waited = resolve(process, *request, "request");
  if (!waited) return set_status(status, kEmptyOutcome);
  process.pt2pt().wait(*waited);
  conclude(process, request, *waited, status);
}

void test(Process& process, MPI_Request* request, int* flag, MPI_Status* status) {
  check::not_null(request, "request");
  check::not_null(flag, "flag");
  Request* tested = resolve(process, *request, "request");
  *flag = !tested || process.progress().look([&] { return tested->done(); }) ? 1 : 0;
  if (!*flag) return;
  if (!tested) return set_status(status, kEmptyOutcome);
  conclude(process, request, *tested, status);
}

void waitall(Process& process, int count, MPI_Request array_of_requests[], MPI_Status* array_of_statuses) {
  const Requests requests(process, count, array_of_requests, "count");
  requests.check();
  requests.conclude_all(array_of_statuses, [&](Request& request) {
    if (!request.done()) process.pt2pt().wait(request);
  });
}

void testall(Process& process, int count, MPI_Request array_of_requests[], int* flag, MPI_Status* array_of_statuses) {
  check::not_null(flag, "flag");
  const Requests requests(process, count, array_of_requests, "count");
  *flag = process.progress().look([&] { return requests.all_done(); }) ? 1 : 0;
  if (*flag) requests.conclude_all(array_of_statuses, [](Request&) {});
}

void waitany(Process& process, int count, MPI_Request array_of_requests[], int* index, MPI_Status* status) {
  check::not_null(index, "indx");
  const Requests requests(process, count, array_of_requests, "count");
  *index = abi::UNDEFINED;
  if (!requests.any_active()) return set_status(status, kEmptyOutcome);
  int done = -1;
  process.progress().wait([&] { return (done = requests.first_done()) >= 0; }, [&] { return requests.reason(); });
  *index = done;
  conclude(process, requests.handle(done), *requests.at(done), status);
}

void testany(Process& process, int count, MPI_Request array_of_requests[], int* index, int* flag,
             MPI_Status* status) {
  check::not_null(index, "indx");
  check::not_null(flag, "flag");
  const Requests requests(process, count, array_of_requests, "count");
  *index = abi::UNDEFINED;
  *flag = 1;
  if (!requests.any_active()) return set_status(status, kEmptyOutcome);
  int done = -1;
  *flag = process.progress().look([&] { return (done = requests.first_done()) >= 0; }) ? 1 : 0;
  if (!*flag) return;
  *index = done;
  conclude(process, requests.handle(done), *requests.at(done), status);
}

void waitsome(Process& process, int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
              MPI_Status* array_of_statuses) {
  check::not_null(outcount, "outcount");
  const Requests requests(process, incount, array_of_requests, "incount");
  if (incount > 0) check::not_null(array_of_indices, "array_of_indices");
  *outcount = abi::UNDEFINED;
  if (!requests.any_active()) return;
  process.progress().wait([&] { return requests.first_done() >= 0; }, [&] { return requests.reason(); });
  requests.conclude_some(outcount, array_of_indices, array_of_statuses);
}

void testsome(Process& process, int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
              MPI_Status* array_of_statuses) {
  check::not_null(outcount, "outcount");
  const Requests requests(process, incount, array_of_requests, "incount");
  if (incount > 0) check::not_null(array_of_indices, "array_of_indices");
  *outcount = abi::UNDEFINED;
  if (!requests.any_active()) return;
  process.progress().look([&] { return requests.first_done() >= 0; });
  requests.conclude_some(outcount, array_of_indices, array_of_statuses);
}

void request_free(Process& process, MPI_Request* request) {
  check::not_null(request, "request");
  if (!resolve(process, *request, "request"))
    base::fail(abi::ERR_REQUEST, "request is MPI_REQUEST_NULL; a request is needed here");
  release(process, request);
}

}  // namespace antiphon::api
