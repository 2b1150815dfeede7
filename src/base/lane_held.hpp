// Proof that the calling thread holds the lane (progress/lane.hpp), or that only one thread at a time is in MPI. A
// function that needs the lane takes a reference to one. A function that can do more with the lane than without
// takes a pointer, which is null without the lane. There is a single object: vouch() returns it to code that has
// just locked the lane, or that only holders of the lane can reach.
#pragma once

namespace antiphon::base {

class LaneHeld {
 public:
  LaneHeld(const LaneHeld&) = delete;
  LaneHeld& operator=(const LaneHeld&) = delete;
  [[nodiscard]] static const LaneHeld& vouch() { return kOnly; }

 private:
  constexpr LaneHeld() = default;
  static const LaneHeld kOnly;
};
inline constexpr LaneHeld LaneHeld::kOnly{};

}  // namespace antiphon::base
