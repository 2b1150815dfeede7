// Waiting for and testing requests: MPI 5.0, 3.7.3 to 3.7.5.
#include "api/pt2pt/generalized.hpp"
#include "api/pt2pt/requests.hpp"

namespace antiphon::api {

using objects::Request;

namespace {

[[gnu::cold]] void conclude_unusual(Process& process, MPI_Request* handle, Request& operation, MPI_Status* status,
                                    Failure* failure) {
  Failure own;
  if (conclude(process, handle, operation, status, &own) != MPI_SUCCESS)
    note_among_several(process, std::move(own), status, failure);
  else if (status)
    status->MPI_ERROR = MPI_SUCCESS;
}

// Concludes one of several operations: its error is in its status, too.
inline void conclude_one(Process& process, MPI_Request* handle, Request& operation, MPI_Status* status,
                         Failure* failure) {
  if (operation.ends_unusually() || operation.outcome.error != 0) [[unlikely]]
    return conclude_unusual(process, handle, operation, status, failure);
  set_status(status, operation.outcome);
  if (status) status->MPI_ERROR = MPI_SUCCESS;
  release(process, handle);
}

// In MPI_Waitall's manner: all are concluded, then failures are told. `take(i)` returns what handle i stands for,
// when that is done: so one is concluded while others are still under way.
template <class Take>
void conclude_all(Process& process, const Requests& requests, MPI_Request handles[], MPI_Status* statuses,
                  Take&& take) {
  Failure failure;
  for (int i = 0; i < requests.size(); ++i) {
    MPI_Status* const status = statuses ? statuses + i : nullptr;
    if (requests.settled(i)) {
      handles[i] = MPI_REQUEST_NULL;
      set_empty_status(status);
    } else if (Request* operation = take(i)) {
      conclude_one(process, &handles[i], *operation, status, &failure);
    } else {
      set_empty_status(status);
    }
  }
  tell(failure);
}

// Concludes what is done, in MPI_Waitsome's manner.
void conclude_some(Process& process, const Requests& requests, MPI_Request handles[], int* outcount, int indices[],
                   MPI_Status* statuses) {
  *outcount = 0;
  Failure failure;
  for (int i = 0; i < requests.size(); ++i) {
    Request* operation = requests.at(i);
    if (!operation || !operation->done()) continue;
    conclude_one(process, &handles[i], *operation, statuses ? statuses + *outcount : nullptr, &failure);
    indices[(*outcount)++] = i;
  }
  tell(failure);
}

}  // namespace

void wait(Process& process, MPI_Request* request, MPI_Status* status) {
  check::not_null(request, "request");
  Request* waited = operation_of(process, *request, "request");
  if (!waited) return set_empty_status(status);
  process.progress().wait(*waited);
  conclude(process, request, *waited, status);
}

void test(Process& process, MPI_Request* request, int* flag, MPI_Status* status) {
  check::not_null(request, "request");
  check::not_null(flag, "flag");
  Request* tested = operation_of(process, *request, "request");
  *flag = !tested || process.progress().look([&] { return tested->done(); }) ? 1 : 0;
  if (!*flag) return;
  if (!tested) return set_empty_status(status);
  conclude(process, request, *tested, status);
}

void waitall(Process& process, int count, MPI_Request array_of_requests[], MPI_Status* array_of_statuses) {
  const Requests requests(process, count, array_of_requests, "count");
  const auto waited = [&](Request* request) {
    if (request && !request->done()) process.progress().wait(*request);
    return request;
  };
  const auto conclude_each = [&](auto&& operation) {
    conclude_all(process, requests, array_of_requests, array_of_statuses,
                 [&](int i) { return waited(operation(i)); });
  };
  if (requests.check()) [[likely]]
    conclude_each([&](int i) { return requests.checked(i); });
  else
    conclude_each([&](int i) { return requests.at(i); });
}

void testall(Process& process, int count, MPI_Request array_of_requests[], int* flag, MPI_Status* array_of_statuses) {
  check::not_null(flag, "flag");
  const Requests requests(process, count, array_of_requests, "count");
  *flag = process.progress().look([&] { return requests.all_done(); }) ? 1 : 0;
  if (*flag)
    conclude_all(process, requests, array_of_requests, array_of_statuses, [&](int i) { return requests.at(i); });
}

void waitany(Process& process, int count, MPI_Request array_of_requests[], int* index, MPI_Status* status) {
  check::not_null(index, "indx");
  const Requests requests(process, count, array_of_requests, "count");
  int flag = 0;
  const auto wait = [&](auto&& done) {
    process.progress().wait(done, [&] { return requests.reason(); });
    return true;
  };
  if (find_any(requests, index, &flag, status, wait))
    conclude(process, &array_of_requests[*index], *requests.at(*index), status);
}

void testany(Process& process, int count, MPI_Request array_of_requests[], int* index, int* flag,
             MPI_Status* status) {
  check::not_null(index, "indx");
  check::not_null(flag, "flag");
  const Requests requests(process, count, array_of_requests, "count");
  if (find_any(requests, index, flag, status, [&](auto&& done) { return process.progress().look(done); }))
    conclude(process, &array_of_requests[*index], *requests.at(*index), status);
}

void waitsome(Process& process, int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
              MPI_Status* array_of_statuses) {
  check::not_null(outcount, "outcount");
  const Requests requests(process, incount, array_of_requests, "incount");
  if (incount > 0) check::not_null(array_of_indices, "array_of_indices");
  *outcount = abi::UNDEFINED;
  if (!requests.any_active()) return;
  process.progress().wait([&] { return requests.first_done() >= 0; }, [&] { return requests.reason(); });
  conclude_some(process, requests, array_of_requests, outcount, array_of_indices, array_of_statuses);
}

void testsome(Process& process, int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
              MPI_Status* array_of_statuses) {
  check::not_null(outcount, "outcount");
  const Requests requests(process, incount, array_of_requests, "incount");
  if (incount > 0) check::not_null(array_of_indices, "array_of_indices");
  *outcount = abi::UNDEFINED;
  if (!requests.any_active()) return;
  process.progress().look([&] { return requests.first_done() >= 0; });
  conclude_some(process, requests, array_of_requests, outcount, array_of_indices, array_of_statuses);
}

// What was begun goes on.
void request_free(Process& process, MPI_Request* request) {
  check::not_null(request, "request");
  Request* freed = request_of(process, *request, "request");
  if (!freed) null_request("request", -1);
  if (freed->kind() == Request::Kind::generalized) return free_generalized(process, request);
  if (freed->kind() == Request::Kind::collective && !freed->done())
    base::fail(abi::ERR_REQUEST,
               "request is a collective under way, which cannot be freed: wait for it, or test until "
               "it is over");
  if (*request != reinterpret_cast<MPI_Request>(process::kCompletedRequest))
    (void)process.requests.erase(reinterpret_cast<std::uintptr_t>(*request));
  *request = MPI_REQUEST_NULL;
}

}  // namespace antiphon::api
