// Whether the other end of a connection is alive: both ends send something every second. Seconds count only while
// this process runs, so that a process that was stopped does not think that all others were silent meanwhile.
#pragma once

#include <chrono>

namespace antiphon::launch {

class Pulse {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kEvery = std::chrono::seconds(1);
  static constexpr int kMostMissed = 5;

  explicit Pulse(int most_missed = kMostMissed) : most_missed_(most_missed) {}

  // True if it is time to send something.
  [[nodiscard]] bool beat(Clock::time_point now) {
    if (now < next_) return false;
    next_ = now + kEvery;
    ++missed_;
    return true;
  }
  void heard() {
    missed_ = 0;
    is_paused_ = false;
  }
  // The other end has said that it will be silent for as long as it likes, until it is heard again.
  void pause() { is_paused_ = true; }
  [[nodiscard]] bool is_lost() const { return missed_ > most_missed_ && !is_paused_; }
  [[nodiscard]] Clock::time_point next_beat() const { return next_; }

 private:
  const int most_missed_;
  Clock::time_point next_ = Clock::now() + kEvery;
  int missed_ = 0;
  bool is_paused_ = false;
};

}  // namespace antiphon::launch
