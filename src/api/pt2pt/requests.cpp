#include "api/pt2pt/requests.hpp"

#include "api/pt2pt/generalized.hpp"

namespace antiphon::api {

namespace {

std::string element(const char* argument, int index) {
  return index < 0 ? argument : fmt::format("{}[{}]", argument, index);
}

Failure failure_of(base::Error error, objects::Ref<objects::ErrorScope> object) {
  return std::make_unique<OperationError>(OperationError{std::move(error), std::move(object)});
}

}  // namespace

void no_request(std::uintptr_t value, const char* argument, int index) {
  base::fail(abi::ERR_REQUEST,
             fmt::format("{}={:#x} is not a request: it was freed, is complete already, or was never started",
                         element(argument, index), value));
}

void null_request(const char* argument, int index) {
  base::fail(abi::ERR_REQUEST, element(argument, index) + " is MPI_REQUEST_NULL; a request is needed here");
}

void note_among_several(Process& process, Failure own, MPI_Status* status, Failure* failure) {
  if (status) status->MPI_ERROR = code_for_user(*own, process.call().procedure, own->object.get());
  if (!*failure) *failure = std::move(own);
}

namespace unusual {

objects::Request* operation_of(objects::Request& request, MPI_Request handle, const char* argument, int index) {
  if (request.kind() == objects::Request::Kind::persistent)
    return static_cast<objects::PersistentRequest&>(request).active();
  if (static_cast<Generalized&>(request).is_freed())
    no_request(reinterpret_cast<std::uintptr_t>(handle), argument, index);
  return &request;
}

int note_failure(const objects::Request& operation, Failure* failure) {
  const int error = operation.outcome.error;
  if (!*failure) *failure = failure_of({error, *operation.error_text}, operation.scope());
  return error;
}

int ask_generalized(Process& process, objects::Request& operation, bool ends, MPI_Status* status, Failure* failure) {
  const Generalized::Answer answer = static_cast<Generalized&>(operation).ask(process, ends);
  if (status != MPI_STATUS_IGNORE) copy_status(status, answer.status);
  if (answer.error != MPI_SUCCESS && !*failure)
    *failure =
        failure_of({answer.error, fmt::format("the {} function of a generalized request failed", answer.failed),
                    base::Error::Origin::program},
                   {});
  return answer.error;
}

int conclude(Process& process, MPI_Request* handle, objects::Request& operation, MPI_Status* status,
             Failure* failure) {
  if (operation.kind() == objects::Request::Kind::generalized) {
    const auto kept = objects::Ref<objects::Request>::share(operation);
    release(process, handle);
    return ask_generalized(process, operation, true, status, failure);
  }
  set_status(status, operation.outcome);
  const int error = operation.outcome.error;
  if (error != 0) note_failure(operation, failure);
  static_cast<objects::PersistentRequest*>(process.requests.find(reinterpret_cast<std::uintptr_t>(*handle)))
      ->deactivate();
  return error;
}

}  // namespace unusual

}  // namespace antiphon::api
