// Small reproducible random numbers (SplitMix64): the same seed gives the same sequence on every platform and with
// every standard library, so that a seed printed by a failing test replays anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace antiphon::base {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
  }
  // A number from 0 to limit - 1; for the small limits in use, the bias is below 2^-32.
  template <class Integer>
  Integer below(Integer limit) {
    return static_cast<Integer>(next() % static_cast<std::uint64_t>(limit));
  }
  bool percent(unsigned chance) { return below(100u) < chance; }

  template <class Container>
  const auto& pick(const Container& from) {
    return from[below(std::size(from))];
  }
  template <class Container>
  void shuffle(Container& items) {
    for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[below(left)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace antiphon::base
