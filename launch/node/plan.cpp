#include "node/plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "node/cpus.hpp"
#include "node/program.hpp"
#include "node/topology.hpp"

namespace antiphon::launch {
namespace {

// Each thread of a rank should get a core. Only OMP_NUM_THREADS tells their number here.
int threads_per_rank(const JobDescription& job) {
  std::string text;
  if (const char* inherited = std::getenv("OMP_NUM_THREADS")) text = inherited;
  const auto look_at = [&text](const std::vector<Variable>& variables) {
    for (const Variable& variable : variables) {
      if (variable.name == "OMP_NUM_THREADS") text = variable.value;
    }
  };
  look_at(job.variables);
  for (const App& app : job.apps) look_at(app.environment);
  int threads = 1;
  std::from_chars(text.data(), text.data() + text.size(), threads);
  return std::clamp(threads, 1, 1024);
}

// Claims every CPU of the binding. If another job holds some of them, claims none and removes those from the
// topology.
bool claim_all(const Binding& binding, CoreClaims& claims, Topology& topology) {
  bool complete = true;
  for (const std::vector<int>& cpus : binding) {
    for (const int cpu : cpus) {
      if (claims.claim(cpu)) continue;
      complete = false;
      std::erase_if(topology, [cpu](const Cpu& known) { return known.os_index == cpu; });
    }
  }
  if (!complete) claims.release();
  return complete;
}

Binding bind_politely(const BindingWish& wish, const CpuLimits& limits, CoreClaims& claims) {
  Topology topology = read_topology(limits.allowed);
  // If the quota is smaller than the CPU set, jobs in other containers may use the same CPUs, unseen. So that not all
  // jobs start at the first CPU, this one starts at one that depends on its process id.
  if (!topology.empty() && limits.usable() < static_cast<int>(limits.allowed.size())) {
    std::rotate(topology.begin(), topology.begin() + getpid() % static_cast<int>(topology.size()), topology.end());
  }
  const std::vector<int> claimed = cpus_claimed_by_others();
  std::stable_partition(topology.begin(), topology.end(), [&](const Cpu& cpu) {
    return std::find(claimed.begin(), claimed.end(), cpu.os_index) == claimed.end();
  });
  while (true) {
    Binding binding = plan_binding(topology, wish);
    if (claim_all(binding, claims, topology)) return binding;
  }
}

// Ranks are numbered in the order of the programs.
std::vector<PlannedRank> ranks_of(const JobDescription& job, int node) {
  std::vector<PlannedRank> ranks;
  int world_rank = 0;
  for (std::size_t app = 0; app < job.apps.size(); ++app)
    for (int i = 0; i < job.apps[app].ranks; ++i, ++world_rank)
      if (job.places[static_cast<std::size_t>(world_rank)].node == node)
        ranks.push_back({.world_rank = world_rank, .app = app});
  return ranks;
}

}  // namespace

NodePlan::NodePlan(const JobDescription& job, int node) : ranks(ranks_of(job, node)), programs(job.apps.size()) {
  for (const PlannedRank& rank : ranks)
    if (programs[rank.app].empty()) programs[rank.app] = find_program(job.apps[rank.app]);

  const CpuLimits limits = read_cpu_limits();
  usable_cpus = limits.usable();
  const BindingWish wish{.ranks = static_cast<int>(ranks.size()),
                         .usable_cpus = usable_cpus,
                         .cpus_per_rank = threads_per_rank(job),
                         .bind_to = job.bind_to,
                         .map_by = job.map_by};
  if (!may_bind(wish)) {
    binding.resize(ranks.size());
  } else if (wish.bind_to == BindTo::automatic) {
    binding = bind_politely(wish, limits, claims);
  } else {
    binding = plan_binding(read_topology(limits.allowed), wish);  // the user's explicit choice ignores claims
  }
}

}  // namespace antiphon::launch
