// A mutex for data that threads may share. If it is known from the start that they do not, the mutex is never
// touched.
#pragma once

#include <mutex>

namespace antiphon::base {

class Lock {
 public:
  explicit Lock(bool shared) : shared_(shared) {}

  [[nodiscard]] bool shared() const { return shared_; }
  void lock() {
    if (shared_) [[unlikely]]
      mutex_.lock();
  }
  [[nodiscard]] bool try_lock() { return !shared_ || mutex_.try_lock(); }
  void unlock() {
    if (shared_) [[unlikely]]
      mutex_.unlock();
  }

 protected:
  bool shared_;

 private:
  std::mutex mutex_;
};

}  // namespace antiphon::base
