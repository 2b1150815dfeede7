// Which of two ways is the faster, learned from what each has cost of late. Who does something does it as whoever
// knows the costs advises, and now and then the other way.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace antiphon::base {

// What is special about one of many that are alike.
struct Occasion {
  bool is_trial = false;  // of the way that is not advised: two, one after the other
  bool is_timed = false;  // not one of the first, which find nothing in the caches and pages that nobody has used

  [[nodiscard]] static constexpr Occasion of(std::uint32_t number) {
    constexpr std::uint32_t kFromTrialToTrial = 1024, kFirstTrial = 10, kUntimed = 32;
    const bool is_trial = number % kFromTrialToTrial / 2 == kFirstTrial / 2;
    return {is_trial, is_trial || number % kUntimed == kUntimed - 1};
  }
};

// Of an enum of two, the first of which is taken at first.
template <class Way>
class Preference {
 public:
  [[nodiscard]] Way advice() const { return advice_; }
  [[nodiscard]] static constexpr Way other(Way way) { return static_cast<Way>(1 - static_cast<int>(way)); }

  // The better of two counts: what disturbs one seldom disturbs the next.
  void learn(Way way, std::uint64_t cost) {
    Known& seen = known(way);
    if (seen.last != kUnknown) seen.cost = std::min(seen.last, cost);
    seen.last = cost;
    const std::uint64_t advised = known(advice_).cost;
    if (advised == kUnknown) return;
    if (known(other(advice_)).cost < advised - advised / 8) advice_ = other(advice_);  // by more than chance may be
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
