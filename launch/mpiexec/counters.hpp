// What the ranks of a job have counted, as a table for the user: a line for each counter that counted anything, the
// sum first, then each rank's, or, where there are many ranks, the least and the most and who that was.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "counters/table.hpp"

namespace antiphon::launch {

using RankCounters = std::array<std::uint64_t, counters::kHowMany>;

// Empty if nothing was counted.
[[nodiscard]] std::string describe_counters(std::span<const RankCounters> ranks);

}  // namespace antiphon::launch
