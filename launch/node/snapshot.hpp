// Reads the state of the ranks from the job segment and the process table.
#pragma once

#include <vector>

#include "bootstrap/node_segment.hpp"
#include "node/rank_view.hpp"

namespace antiphon::launch {

// `exited[r]`: the process of rank r has ended. A rank counts as asleep only if it slept before and after its note
// was read, and the note did not change meanwhile.
std::vector<RankView> take_snapshot(const bootstrap::NodeSegment& segment, const std::vector<bool>& exited);

[[nodiscard]] bool does_any_run(const std::vector<RankView>& ranks);

// Marks the ranks that are stopped. take_snapshot() does that only if no rank runs, because it has to read the state
// of every thread of each rank.
void mark_stopped(std::vector<RankView>& ranks);

}  // namespace antiphon::launch
