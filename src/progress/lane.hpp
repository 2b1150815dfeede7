// The lock around everything that one lane owns: matcher, channels, requests, tables. Taken for the length of a call,
// given up while the call sleeps or spins. Below MPI_THREAD_MULTIPLE it is never touched.
#pragma once

#include <mutex>

namespace antiphon::progress {

class Lane {
 public:
  explicit Lane(bool shared) : shared_(shared) {}

  // Whether several threads may be inside MPI at once.
  [[nodiscard]] bool shared() const { return shared_; }
  // Only while no thread is inside MPI. One that is about to enter may look at a lane that is shared already.
  void share() {
    if (!shared_) shared_ = true;
  }
  void lock() {
    if (shared_) [[unlikely]]
      mutex_.lock();
  }
  void unlock() {
    if (shared_) [[unlikely]]
      mutex_.unlock();
  }

 private:
  bool shared_;
  std::mutex mutex_;
};

}  // namespace antiphon::progress
