// Learns which of two methods is faster, from the recent costs of both. Code that measures a cost calls learn(); code
// that chooses a method calls advice(), and tries the other method now and then.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace antiphon::base {

// Whether one of many similar actions is a trial, and whether it is timed.
struct Occasion {
  bool is_trial = false;  // uses the method that is not advised; trials come in pairs
  bool is_timed = false;  // not the first actions, which find cold caches and new pages

  [[nodiscard]] static constexpr Occasion of(std::uint32_t number) {
    constexpr std::uint32_t kFromTrialToTrial = 1024, kFirstTrial = 10, kUntimed = 32;
    const bool is_trial = number % kFromTrialToTrial / 2 == kFirstTrial / 2;
    return {is_trial, is_trial || number % kUntimed == kUntimed - 1};
  }
};

// `Way` is an enum of two values; the first is advised at the beginning.
template <class Way>
class Preference {
 public:
  [[nodiscard]] Way advice() const { return advice_; }
  [[nodiscard]] static constexpr Way other(Way way) { return static_cast<Way>(1 - static_cast<int>(way)); }

  // The lower cost of two successive samples counts, because a disturbance seldom hits both.
  void learn(Way way, std::uint64_t cost) {
    Known& seen = known(way);
    if (seen.last != kUnknown) seen.cost = std::min(seen.last, cost);
    seen.last = cost;
    const std::uint64_t advised = known(advice_).cost;
    if (advised == kUnknown) return;
    if (known(other(advice_)).cost < advised - advised / 8) advice_ = other(advice_);  // by more than noise
  }

 private:
  static constexpr std::uint64_t kUnknown = UINT64_MAX;

  struct Known {
    std::uint64_t cost = kUnknown, last = kUnknown;
  };
  [[nodiscard]] Known& known(Way way) { return known_[static_cast<std::size_t>(way)]; }

  std::array<Known, 2> known_;
  Way advice_ = Way{};
};

}  // namespace antiphon::base
