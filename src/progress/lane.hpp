// The lock around all that a process owns: channels, requests, tables. Taken for the length of a call, given up while
// the call sleeps or spins. Below MPI_THREAD_MULTIPLE it is never touched. What threads do so often that they must
// not meet here is done without the lane, under locks of its own (docs/point_to_point.md).
#pragma once

#include <atomic>

#include "base/lock.hpp"
#include "progress/call_context.hpp"

namespace antiphon::progress {

// shared(): several threads may be inside MPI at once. is_wanted(): one of the program's waits for it. The library's
// own thread has time.
class Lane : public base::Lock {
 public:
  enum class Thread { of_program, of_library };
  using Lock::Lock;

  // Only while no thread is inside MPI. One that is about to enter may look at a lane that is shared already.
  void share() {
    if (!shared_) shared_ = true;
  }
  void lock(Thread thread = Thread::of_program) {
    if (try_lock()) [[likely]]
      return;
    const int wanted = thread == Thread::of_program ? 1 : 0;
    waiting_.fetch_add(wanted, std::memory_order_relaxed);
    Lock::lock();
    waiting_.fetch_sub(wanted, std::memory_order_relaxed);
  }
  [[nodiscard]] bool is_wanted() const { return waiting_.load(std::memory_order_relaxed) != 0; }
  // Which call holds it.
  [[nodiscard]] CallContext& call() { return call_; }

 private:
  std::atomic<int> waiting_ = 0;
  CallContext call_;
};

}  // namespace antiphon::progress
