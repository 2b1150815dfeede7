// Starts all ranks of a node according to its plan.
#pragma once

#include <signal.h>

#include "bootstrap/node_segment.hpp"
#include "node/description.hpp"
#include "node/plan.hpp"
#include "node/rank_streams.hpp"
#include "node/rank_table.hpp"
#include "node/spawn.hpp"

namespace antiphon::launch {

struct StartContext {
  const JobDescription& job;
  const NodePlan& plan;
  const bootstrap::NodeSegment& segment;
  RankStreams& streams;
  int input_fd;  // the standard input of rank 0
  const sigset_t& signal_mask;
};

// Writes each rank's identity into the segment, then starts the rank. Throws Failure if the system cannot create
// another process; `ranks` then holds those that run already.
void start_ranks(const StartContext& context, StartReports& reports, RankTable& ranks);

}  // namespace antiphon::launch
