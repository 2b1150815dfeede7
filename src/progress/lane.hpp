// The lock around all that a process owns: channels, requests, tables. Taken for the length of a call, given up while
// the call sleeps or spins. Below MPI_THREAD_MULTIPLE it is never touched. What threads do so often that they must
// not meet here is done without the lane, under locks of its own (docs/point_to_point.md).
#pragma once

#include "base/lock.hpp"
#include "progress/call_context.hpp"

namespace antiphon::progress {

// shared(): several threads may be inside MPI at once.
class Lane : public base::Lock {
 public:
  using Lock::Lock;

  // Only while no thread is inside MPI. One that is about to enter may look at a lane that is shared already.
  void share() {
    if (!shared_) shared_ = true;
  }
  // Which call holds it.
  [[nodiscard]] CallContext& call() { return call_; }

 private:
  CallContext call_;
};

}  // namespace antiphon::progress
