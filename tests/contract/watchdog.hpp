// Ends the test program, naming what stood still, when a counter has not moved for ten seconds: two threads that
// sleep for ever cannot fail by themselves.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace antiphon::contract {

class Watchdog {
 public:
  Watchdog(const char* what, const std::atomic<std::uint64_t>& counter)
      : what_(what), counter_(counter), thread_([this] { watch(); }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

 private:
  void watch() {
    std::unique_lock lock(mutex_);
    for (std::uint64_t before = counter_;
         !changed_.wait_for(lock, std::chrono::seconds(10), [&] { return over_; });) {
      const std::uint64_t now = counter_;
      if (now == before) {
        std::fprintf(stderr, "%s: nothing moved for ten seconds after %llu\n", what_,
                     static_cast<unsigned long long>(now));
        std::abort();
      }
      before = now;
    }
  }

  const char* what_;
  const std::atomic<std::uint64_t>& counter_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace antiphon::contract
