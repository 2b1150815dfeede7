#include "engine/coll/steps.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include "base/error.hpp"
#include "progress/user_code.hpp"

namespace antiphon::coll {

base::Error failure_of(const Begun& message) {
  const objects::Request& request = *message.request;
  if (request.outcome.error != 0) return {request.outcome.error, fmt::format("{}; {}", *request.error_text, kAdvice)};
  return {
      abi::ERR_COUNT,
      fmt::format("rank {} of {} sent {} bytes where {} were expected in a collective operation: {}",
                  request.outcome.source, request.comm().name(), request.outcome.bytes, message.expected, kAdvice)};
}

base::Error failure_of(const Reduction& reduction, const std::exception_ptr& thrown) {
  std::string what;
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& known) {
    what = fmt::format(": {}", known.what());
  } catch (...) {
  }
  return {abi::ERR_OP, fmt::format("the function of op={} threw an exception{}; its part of the result is missing",
                                   reduction.users_op()->name(), what)};
}

void reduce_unlocked(progress::Progress& progress, const Vector& left, const Vector& right, Reduction::Into into) {
  try {
    const progress::UserCode running(progress.lane());
    left.reduction()(left.first(), right.first(), left.elements(), into);
  } catch (const ::abi::__forced_unwind&) {
    throw;  // the thread was cancelled
  } catch (...) {
    throw failure_of(left.reduction(), std::current_exception());
  }
}

}  // namespace antiphon::coll
