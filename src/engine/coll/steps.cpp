#include "engine/coll/steps.hpp"

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

void reduce_unlocked(progress::Progress& progress, const Vector& left, const Vector& right, Reduction::Into into) {
  const progress::UserCode running(progress.lane());
  left.reduction()(left.first(), right.first(), left.elements(), into);
}

}  // namespace antiphon::coll
