#include "api/pt2pt/generalized.hpp"

#include "api/call.hpp"
#include "api/check.hpp"
#include "api/pt2pt/requests.hpp"
#include "api/pt2pt/status.hpp"
#include "progress/user_code.hpp"

namespace antiphon::api {

using objects::Ref;
using objects::Request;

namespace {

// A function that may be missing: then there is nothing to do.
template <class Function, class... Arguments>
int call_user(Process& process, Function* function, Arguments... arguments) {
  if (!function) return MPI_SUCCESS;
  const progress::UserCode running(process.lane());
  return function(arguments...);
}

void throw_failure(int error, const char* what) {
  if (error != MPI_SUCCESS)
    base::pass_on(error, fmt::format("the {} function of a generalized request failed", what));
}

}  // namespace

int Generalized::free(Process& process) { return call_user(process, callbacks_.free, callbacks_.extra_state); }

int Generalized::cancel(Process& process) {
  return call_user(process, callbacks_.cancel, callbacks_.extra_state, done() ? 1 : 0);
}

Generalized::Answer Generalized::ask(Process& process, bool ends) {
  Answer answer{};
  set_status(&answer.status, {});
  answer.error = call_user(process, callbacks_.query, callbacks_.extra_state, &answer.status);
  if (answer.error != MPI_SUCCESS) answer.failed = "query";
  if (!ends) return answer;
  if (const int error = free(process); error != MPI_SUCCESS) {
    answer.error = error;
    answer.failed = "free";
  }
  return answer;
}

void free_generalized(Process& process, MPI_Request* request) {
  const auto value = reinterpret_cast<std::uintptr_t>(*request);
  auto& generalized = static_cast<Generalized&>(*operation_of(process, *request, "request"));
  *request = MPI_REQUEST_NULL;
  if (!generalized.done()) return generalized.set_freed();
  const Ref<Request> kept = process.requests.erase(value);
  throw_failure(generalized.free(process), "free");
}

void grequest_start(Process& process, MPI_Grequest_query_function* query_fn, MPI_Grequest_free_function* free_fn,
                    MPI_Grequest_cancel_function* cancel_fn, void* extra_state, MPI_Request* request) {
  check::not_null(request, "request");
  Ref<Request> started = Ref<Request>::adopt(new Generalized({query_fn, free_fn, cancel_fn, extra_state}));
  *request = reinterpret_cast<MPI_Request>(process.requests.insert(std::move(started)));
}

void grequest_complete(Process& process, MPI_Request request) {
  const auto value = reinterpret_cast<std::uintptr_t>(request);
  if (value == abi::REQUEST_NULL) null_request("request", -1);
  Request* found = process.requests.find(value);
  if (!found) no_request(value, "request", -1);
  if (found->kind() != Request::Kind::generalized)
    base::fail(abi::ERR_REQUEST,
               fmt::format("request={:#x} is not a generalized request: MPI_Grequest_start creates those", value));
  if (found->done())
    base::fail(abi::ERR_REQUEST,
               fmt::format("request={:#x} is complete already: a generalized request is completed once", value));
  auto& generalized = static_cast<Generalized&>(*found);
  generalized.complete();
  process.progress().wake_other_threads();
  if (!generalized.is_freed()) return;
  const Ref<Request> kept = process.requests.erase(value);
  throw_failure(generalized.free(process), "free");
}

}  // namespace antiphon::api
