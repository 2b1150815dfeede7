// Looking at requests without ending them: MPI 5.0, 3.7.6.
#include "api/pt2pt/requests.hpp"

namespace antiphon::api {

using objects::Request;

namespace {

void peek_one(Process& process, Request* operation, MPI_Status* status, Failure* failure) {
  if (!operation) return set_empty_status(status);
  Failure own;
  if (peek(process, *operation, status, &own) != MPI_SUCCESS)
    return note_among_several(process, std::move(own), status, failure);
  if (status) status->MPI_ERROR = MPI_SUCCESS;
}

void peek_alone(Process& process, Request& operation, MPI_Status* status) {
  Failure failure;
  if (peek(process, operation, status, &failure) != 0) throw std::move(*failure);
}

}  // namespace

void request_get_status(Process& process, MPI_Request request, int* flag, MPI_Status* status) {
  check::not_null(flag, "flag");
  Request* asked = operation_of(process, request, "request");
  *flag = !asked || process.progress().look([&] { return asked->done(); }) ? 1 : 0;
  if (!*flag) return;
  if (!asked) return set_empty_status(status);
  peek_alone(process, *asked, status);
}

void request_get_status_all(Process& process, int count, const MPI_Request array_of_requests[], int* flag,
                            MPI_Status* array_of_statuses) {
  check::not_null(flag, "flag");
  const Requests requests(process, count, array_of_requests, "count");
  *flag = process.progress().look([&] { return requests.all_done(); }) ? 1 : 0;
  if (!*flag) return;
  Failure failure;
  for (int i = 0; i < requests.size(); ++i)
    peek_one(process, requests.at(i), array_of_statuses ? array_of_statuses + i : nullptr, &failure);
  tell(failure);
}

void request_get_status_any(Process& process, int count, const MPI_Request array_of_requests[], int* index, int* flag,
                            MPI_Status* status) {
  check::not_null(index, "indx");
  check::not_null(flag, "flag");
  const Requests requests(process, count, array_of_requests, "count");
  if (find_any(requests, index, flag, status, [&](auto&& done) { return process.progress().look(done); }))
    peek_alone(process, *requests.at(*index), status);
}

void request_get_status_some(Process& process, int incount, const MPI_Request array_of_requests[], int* outcount,
                             int array_of_indices[], MPI_Status* array_of_statuses) {
  check::not_null(outcount, "outcount");
  const Requests requests(process, incount, array_of_requests, "incount");
  if (incount > 0) check::not_null(array_of_indices, "array_of_indices");
  *outcount = abi::UNDEFINED;
  if (!requests.any_active()) return;
  process.progress().look([&] { return requests.first_done() >= 0; });
  *outcount = 0;
  Failure failure;
  for (int i = 0; i < requests.size(); ++i) {
    Request* operation = requests.at(i);
    if (!operation || !operation->done()) continue;
    peek_one(process, operation, array_of_statuses ? array_of_statuses + *outcount : nullptr, &failure);
    array_of_indices[(*outcount)++] = i;
  }
  tell(failure);
}

}  // namespace antiphon::api
