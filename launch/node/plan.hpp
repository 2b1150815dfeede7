// What is decided on a node before its first rank starts: which file each rank executes, and on which CPUs. Throws
// Failure before anything has been started.
#pragma once

#include <string>
#include <vector>

#include "node/binding.hpp"
#include "node/core_claims.hpp"
#include "node/description.hpp"

namespace antiphon::launch {

// A rank that this node runs.
struct PlannedRank {
  int world_rank;
  std::size_t app;
};

struct NodePlan {
  NodePlan(const JobDescription& job, int node);

  std::vector<PlannedRank> ranks;     // by rank on the node
  std::vector<std::string> programs;  // by app; empty if the node does not run it
  int usable_cpus;
  Binding binding;    // by rank on the node
  CoreClaims claims;  // on the CPUs in `binding`, until the job ends
};

}  // namespace antiphon::launch
