// The counters of all ranks as a table for the user: a line for each counter that is not zero, with the sum and
// the number of each rank or, for many ranks, the least and the greatest number and the ranks that have them.
// Pure: numbers in, text out.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "node/events.hpp"

namespace antiphon::launch {

// Empty if nothing was counted.
[[nodiscard]] std::string describe_counters(std::span<const RankCounters> ranks);

}  // namespace antiphon::launch
