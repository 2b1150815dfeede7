#include "engine/coll/steps.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include "base/error.hpp"
#include "progress/user_code.hpp"

namespace antiphon::coll {

namespace {
// The blocking collective that this process is in, by its number on the communicator.
progress::NthCollective which(const objects::Comm& comm, progress::Progress& progress) {
  return {comm.name(), progress.lane().call().collective.nth};
}
}  // namespace

void tell_cause(const objects::Comm& comm, std::string_view cause, progress::Progress& progress) {
  if (const progress::NthCollective this_one = which(comm, progress); this_one.nth != 0)
    progress.parking().tell_failure(this_one, cause);
}

std::string said_of_itself(const objects::Comm& comm, const base::Error& failure) {
  return fmt::format("rank {} has failed: {}", comm.rank(), failure.message);
}

std::string explained(int rank, const objects::Comm& comm, std::string_view did, progress::Progress& progress) {
  const std::string told = progress.parking().failure_of(comm.world_rank(rank), which(comm, progress));
  const std::string text =
      fmt::format("rank {} of {} {}: {}", rank, comm.name(), did, told.empty() ? std::string(kAdvice) : told);
  tell_cause(comm, told.empty() ? text : told, progress);
  return text;
}

base::Error failure_of(const Begun& message, progress::Progress& progress) {
  const objects::Request& request = *message.request;
  if (request.outcome.error != 0) return {request.outcome.error, fmt::format("{}; {}", *request.error_text, kAdvice)};
  const std::string did = fmt::format("sent {} bytes where {} were expected in a collective operation",
                                      request.outcome.bytes, message.expected);
  return {abi::ERR_COUNT, explained(request.outcome.source, request.comm(), did, progress)};
}

base::Error failure_of(const Reduction& reduction, const std::exception_ptr& thrown) {
  std::string what;
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& known) {
    what = fmt::format(": {}", known.what());
  } catch (...) {
  }
  return {abi::ERR_OP, fmt::format("the function of {} threw an exception{}; its part of the result is missing",
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
