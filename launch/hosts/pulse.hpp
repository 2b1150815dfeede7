// Whether the other end of a connection is alive: both ends send something every second. Seconds count only while
// this process runs, so that a process that was stopped does not think that all others were silent meanwhile.
#pragma once

#include <chrono>

namespace antiphon::launch {

class Pulse {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kEvery = std::chrono::seconds(1);
  static constexpr int kMostMissed = 6;

  // True if it is time to send something.
  [[nodiscard]] bool beat(Clock::time_point now) {
    if (now < next_) return false;
    next_ = now + kEvery;
    ++missed_;
    return true;
  }
  void heard() { missed_ = 0; }
  [[nodiscard]] bool is_lost() const { return missed_ > kMostMissed; }
  [[nodiscard]] Clock::time_point next_beat() const { return next_; }

 private:
  Clock::time_point next_ = Clock::now() + kEvery;
  int missed_ = 0;
};

}  // namespace antiphon::launch
