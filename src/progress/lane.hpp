// The lock around all that a process owns: channels, requests, tables. Taken for the length of a call, given up while
// the call sleeps or spins. Below MPI_THREAD_MULTIPLE it is never touched. What threads do so often that they must
// not meet here is done without the lane, under locks of its own (docs/point_to_point.md).
#pragma once

#include <atomic>

#include "base/lock.hpp"
#include "progress/call_context.hpp"

namespace antiphon::progress {

// shared(): several threads may be inside MPI at once. has_many_callers(): several of the program's, and not just one
// beside the library's own.
class Lane : public base::Lock {
 public:
  enum class Served { by_callers, by_a_thread };
  explicit Lane(bool many_callers, Served served = Served::by_callers)
      : Lock(many_callers || served == Served::by_a_thread), many_callers_(many_callers) {}

  // Only while no thread is inside MPI. One that is about to enter may look at a lane that is shared already.
  void share() {
    if (!shared_) shared_ = true;
    expect_many_callers();
  }
  // At any time; not where one thread at a time may be inside, which remains so.
  void expect_many_callers() {
    if (shared_) many_callers_.store(true, std::memory_order_relaxed);
  }
  [[nodiscard]] bool has_many_callers() const { return many_callers_.load(std::memory_order_relaxed); }
  // Which call holds it.
  [[nodiscard]] CallContext& call() { return call_; }

 private:
  std::atomic<bool> many_callers_;
  CallContext call_;
};

}  // namespace antiphon::progress
