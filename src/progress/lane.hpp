// The lock that protects everything a process owns: channels, requests, tables. A call holds it from its beginning to
// its end, but releases it between polls, while it sleeps, and while it runs user code. If only one thread at a time
// can be inside MPI, the mutex is never touched. Short messages, which threads exchange too often to share one lock,
// use locks of their own instead (docs/point_to_point.md).
#pragma once

#include <atomic>

#include "base/lock.hpp"
#include "progress/call_context.hpp"

namespace antiphon::progress {

// shared(): several threads may be inside MPI at once, because the process was initialized for that or has a progress
// thread. is_wanted(): a thread of the program waits for the lock; the library's own thread does not count, because
// it may wait.
class Lane : public base::Lock {
 public:
  enum class Thread { of_program, of_library };
  using Lock::Lock;

  // Call it only while no thread is inside MPI. A thread that is about to enter may read shared_ meanwhile, so a lane
  // that is shared already is not written again.
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
  // The call of the thread that holds the lock.
  [[nodiscard]] CallContext& call() { return call_; }

 private:
  std::atomic<int> waiting_ = 0;
  CallContext call_;
};

}  // namespace antiphon::progress
