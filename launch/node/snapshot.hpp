// Reads the state of the ranks from the job segment and the process table.
#pragma once

#include <span>

#include "bootstrap/node_segment.hpp"
#include "mpiexec/hang.hpp"

namespace antiphon::launch {

// `exited[r]`: the process of rank r has ended. A rank counts as asleep only if it slept before and after its note
// was read, and the note did not change meanwhile.
JobView take_snapshot(const bootstrap::NodeSegment& segment, const std::vector<bool>& exited);

// Marks the ranks that are stopped. take_snapshot() does that only if no rank runs, because it has to read the state
// of every thread of each rank.
void mark_stopped(JobView& view);

}  // namespace antiphon::launch
