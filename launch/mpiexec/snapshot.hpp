// Reads the state of the ranks from the job segment and the process table.
#pragma once

#include <span>

#include "bootstrap/node_segment.hpp"
#include "mpiexec/hang.hpp"

namespace antiphon::launch {

// `exited[r]`: rank r's process has ended. A rank counts as asleep only if it is so both before and after its note is
// read, and the note is the same.
JobView take_snapshot(const bootstrap::NodeSegment& segment, const std::vector<bool>& exited);

// Marks the ranks that are stopped. take_snapshot does so only where no rank runs, because it has to look at every
// thread of each rank.
void mark_stopped(JobView& view);

}  // namespace antiphon::launch
