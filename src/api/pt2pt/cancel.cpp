// Taking back what was begun: MPI 5.0, 3.8.4. A receive is cancelled if no message has come for it, a send that waits
// for its receiver if that one has not taken it (the standard deprecates to ask).
#include "api/pt2pt/generalized.hpp"
#include "api/pt2pt/requests.hpp"

namespace antiphon::api {

using objects::Request;

namespace {

const char* refusal(Request::Kind kind) {
  if (kind == Request::Kind::one_sided) return "a one-sided operation";
  if (kind == Request::Kind::file) return "an operation on a file";
  return kind == Request::Kind::partitioned ? "a partitioned operation" : "a collective operation";
}

}  // namespace

void cancel(Process& process, MPI_Request* request) {
  check::not_null(request, "request");
  if (*request == MPI_REQUEST_NULL) null_request("request", -1);
  Request* operation = operation_of(process, *request, "request");
  if (!operation)
    base::fail(abi::ERR_REQUEST,
               "request is inactive: only an operation that MPI_Start has started can be cancelled");
  switch (operation->kind()) {
    case Request::Kind::receive:
      process.pt2pt().cancel(static_cast<pt2pt::ReceiveRequest&>(*operation));
      return;
    case Request::Kind::send:
      if (!operation->done()) process.pt2pt().cancel(static_cast<pt2pt::SendRequest&>(*operation));
      return;
    case Request::Kind::generalized: {
      const auto kept = objects::Ref<Request>::share(*operation);
      if (const int error = static_cast<Generalized&>(*operation).cancel(process); error != MPI_SUCCESS)
        base::pass_on(error, "the cancel function of a generalized request failed");
      return;
    }
    case Request::Kind::collective:
    case Request::Kind::partitioned:
    case Request::Kind::one_sided:
    case Request::Kind::file:
      base::fail(
          abi::ERR_REQUEST,
          fmt::format("request is {}, which cannot be cancelled; only sends, receives and generalized requests can",
                      refusal(operation->kind())));
    default:
      return;
  }
}

void test_cancelled(Process&, const MPI_Status* status, int* flag) {
  check::not_null(status, "status");
  check::not_null(flag, "flag");
  *flag = status_cancelled(*status) ? 1 : 0;
}

}  // namespace antiphon::api
