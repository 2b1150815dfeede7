// Starts all ranks of a job according to its plan.
#pragma once

#include <signal.h>

#include "bootstrap/node_segment.hpp"
#include "mpiexec/options.hpp"
#include "mpiexec/output.hpp"
#include "node/plan.hpp"
#include "node/rank_table.hpp"
#include "node/spawn.hpp"

namespace antiphon::launch {

struct StartContext {
  const JobOptions& options;
  const JobPlan& plan;
  const bootstrap::NodeSegment& segment;
  RankOutput& output;
  const sigset_t& signal_mask;
};

// Writes each rank's identity into the segment, then starts the rank. Throws Failure if the system cannot create
// another process; `ranks` then holds those that run already.
void start_ranks(const StartContext& context, StartReports& reports, RankTable& ranks);

}  // namespace antiphon::launch
