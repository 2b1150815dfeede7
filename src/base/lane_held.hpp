// Proof that the calling thread holds the lane (progress/lane.hpp), or that only one thread at a time is in MPI. A
// function that needs the lane takes a reference to one. A function that can do more with the lane than without
// takes a pointer, which is null without the lane. Only the two classes below can pass it to others.
#pragma once

namespace antiphon {

namespace pt2pt {
class Messages;
}
namespace transport {
class Dispatcher;
}

namespace base {

class LaneHeld {
 public:
  LaneHeld(const LaneHeld&) = delete;
  LaneHeld& operator=(const LaneHeld&) = delete;

 private:
  friend class transport::Dispatcher;  // threads without the lane poll with another dispatcher, without_lane()
  friend class pt2pt::Messages;        // all of its callers hold the lane

  constexpr LaneHeld() = default;
  static const LaneHeld kOnly;
};
inline constexpr LaneHeld LaneHeld::kOnly{};

}  // namespace base
}  // namespace antiphon
