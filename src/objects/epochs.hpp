// Where a window stands between its synchronizations (MPI 5.0, 12.5): the access epoch, in which this process may
// reach into others' memory, and the exposure epoch, in which others may reach into its own; and what of its
// operations is not over. Part of its Window; engine/rma changes it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "objects/request.hpp"

namespace antiphon::objects {

struct Epochs {
  enum class Access : std::uint8_t { none, fence, start };
  enum class Exposure : std::uint8_t { none, fence, post };

  // Whether an operation on this target may begin now; one has begun if so.
  [[nodiscard]] bool try_access(int target) {
    if (access == Access::fence) [[likely]]
      return fence_used = true;
    return access == Access::start && std::ranges::find(targets, target) != targets.end();
  }

  Access access = Access::none;
  Exposure exposure = Exposure::none;
  bool fence_used = false;                // an operation was begun since the last fence
  std::vector<int> targets;               // of MPI_Win_start, by rank in the window
  std::vector<Ref<Request>> completions;  // what MPI_Win_post waits for, one of each origin

  // Operations that need messages: how many this side has to do more for, and the targets (by rank in the window)
  // that have not said yet that they have all of them.
  int under_way = 0;
  std::vector<int> unconfirmed;
  int confirmations = 0;  // that have been asked for and have not come
  bool refused = false;   // a target could not do what it was asked for
};

}  // namespace antiphon::objects
