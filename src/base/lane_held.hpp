// Proof that the calling thread holds the lane (progress/lane.hpp), or that threads are in MPI one at a time. What
// needs the lane takes one as a parameter; what does more with it than without takes a pointer, null being without.
// There is but one: whoever takes it vouches for holding the lane, as do those who have just locked it, and doors
// that only its holders may use.
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
