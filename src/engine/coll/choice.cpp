#include "engine/coll/choice.hpp"

#include <algorithm>
#include <cmath>

#include "engine/coll/estimates.hpp"

namespace antiphon::coll {

namespace {

using enum Operation;
using namespace estimates;
using settings::Values;
using Needs = Candidate::Needs;

template <class Enum>
constexpr int number(Enum algorithm) {
  return static_cast<int>(algorithm);
}

using Barrier = settings::BarrierAlgorithm;
constexpr Candidate kBarrier[] = {
    {number(Barrier::dissemination), barrier_dissemination},
    {number(Barrier::tree), barrier_tree},
    {number(Barrier::hierarchical), barrier_hierarchical, Needs::several_nodes},
};

using Bcast = settings::BcastAlgorithm;
constexpr Candidate kBcast[] = {
    {number(Bcast::linear), bcast_linear},
    {number(Bcast::binomial), bcast_binomial},
    {number(Bcast::knomial), bcast_knomial},
    {number(Bcast::scatter_allgather), bcast_scatter_allgather},
    {number(Bcast::chain), bcast_chain},
    {number(Bcast::binary), bcast_binary},
    {number(Bcast::hierarchical), bcast_hierarchical, Needs::several_nodes},
};

using Reduce = settings::ReduceAlgorithm;
constexpr Candidate kReduce[] = {
    {number(Reduce::linear), reduce_linear},
    {number(Reduce::binomial), reduce_binomial},
    {number(Reduce::knomial), reduce_knomial},
    {number(Reduce::rabenseifner), reduce_rabenseifner, Needs::element_a_rank},
    {number(Reduce::chain), reduce_chain},
    {number(Reduce::hierarchical), reduce_hierarchical, Needs::several_nodes | Needs::order_kept_by_nodes},
};

using Allreduce = settings::AllreduceAlgorithm;
constexpr Candidate kAllreduce[] = {
    {number(Allreduce::recursive_doubling), allreduce_recursive_doubling},
    {number(Allreduce::ring), allreduce_ring, Needs::commuting | Needs::element_a_rank},
    {number(Allreduce::rabenseifner), allreduce_rabenseifner, Needs::element_a_rank},
    {number(Allreduce::reduce_bcast), allreduce_reduce_bcast},
    {number(Allreduce::hierarchical), allreduce_hierarchical, Needs::several_nodes | Needs::order_kept_by_nodes},
};

using Gather = settings::GatherAlgorithm;
constexpr Candidate kGather[] = {
    {number(Gather::linear), blocks_linear},
    {number(Gather::binomial), blocks_binomial},
    {number(Gather::knomial), blocks_knomial},
    {number(Gather::hierarchical), gather_hierarchical, Needs::several_nodes},
};

using Scatter = settings::ScatterAlgorithm;
constexpr Candidate kScatter[] = {
    {number(Scatter::linear), blocks_linear},
    {number(Scatter::binomial), blocks_binomial},
    {number(Scatter::knomial), blocks_knomial},
    {number(Scatter::hierarchical), scatter_hierarchical, Needs::several_nodes},
};

using Allgather = settings::AllgatherAlgorithm;
constexpr Candidate kAllgather[] = {
    {number(Allgather::bruck), bruck_allgather},
    {number(Allgather::ring), ring_allgather},
    {number(Allgather::recursive_doubling), allgather_recursive_doubling, Needs::power_of_two},
    {number(Allgather::gather_bcast), allgather_gather_bcast},
    {number(Allgather::spread), spread, Needs::request},
    {number(Allgather::hierarchical), allgather_hierarchical, Needs::several_nodes | Needs::nodes_in_order},
};

using Allgatherv = settings::AllgathervAlgorithm;
constexpr Candidate kAllgatherv[] = {
    {number(Allgatherv::bruck), bruck_allgather},
    {number(Allgatherv::ring), ring_allgather},
    {number(Allgatherv::spread), spread, Needs::request},
    {number(Allgatherv::hierarchical), allgatherv_hierarchical, Needs::several_nodes | Needs::nodes_in_order},
};

using Alltoall = settings::AlltoallAlgorithm;
constexpr Candidate kAlltoall[] = {
    {number(Alltoall::spread), spread},
    {number(Alltoall::pairwise), pairwise},
    {number(Alltoall::bruck), alltoall_bruck},
    {number(Alltoall::hierarchical), alltoall_hierarchical, Needs::several_nodes | Needs::nodes_in_order},
};

using Alltoallv = settings::AlltoallvAlgorithm;
constexpr Candidate kAlltoallv[] = {
    {number(Alltoallv::spread), spread},
    {number(Alltoallv::pairwise), pairwise},
};

using ReduceScatter = settings::ReduceScatterAlgorithm;
constexpr Candidate kReduceScatter[] = {
    {number(ReduceScatter::halving), reduce_scatter_halving, Needs::commuting},
    {number(ReduceScatter::ring), reduce_scatter_ring, Needs::commuting},
    {number(ReduceScatter::reduce_scatter), reduce_then_scatter},
};

using Scan = settings::ScanAlgorithm;
constexpr Candidate kScan[] = {
    {number(Scan::doubling), scan_doubling},
    {number(Scan::linear), scan_linear},
};

// In the order of Operation.
struct Row {
  std::span<const Candidate> candidates;
  int (*wanted)(const Values& settings);
};
constexpr Row kTable[kOperations] = {
    {kBarrier, [](const Values& settings) { return number(settings.barrier_algorithm); }},
    {kBcast, [](const Values& settings) { return number(settings.bcast_algorithm); }},
    {kReduce, [](const Values& settings) { return number(settings.reduce_algorithm); }},
    {kAllreduce, [](const Values& settings) { return number(settings.allreduce_algorithm); }},
    {kGather, [](const Values& settings) { return number(settings.gather_algorithm); }},
    {kScatter, [](const Values& settings) { return number(settings.scatter_algorithm); }},
    {kAllgather, [](const Values& settings) { return number(settings.allgather_algorithm); }},
    {kAllgatherv, [](const Values& settings) { return number(settings.allgatherv_algorithm); }},
    {kAlltoall, [](const Values& settings) { return number(settings.alltoall_algorithm); }},
    {kAlltoallv, [](const Values& settings) { return number(settings.alltoallv_algorithm); }},
    {kReduceScatter, [](const Values& settings) { return number(settings.reduce_scatter_algorithm); }},
    {kScan, [](const Values& settings) { return number(settings.scan_algorithm); }}};

const Row& row(Operation operation) {
  return kTable[static_cast<std::size_t>(operation == exscan ? scan : operation)];
}

}  // namespace

// Where ranks share cores, all of them have had a turn before an answer comes, and the cores do the work of all,
// unless one process has more to do than its share. It moves the bytes of those messages alone that it combines: of
// others the receivers do their part.
double Estimate::nanoseconds(const Case& what, const Machine& machine) const {
  const Machine::Network& network = machine.network(what);
  const double here = messages * machine.gap + copied * machine.copied_byte + combined * machine.combined_byte;
  if (!machine.crowded(what)) return steps * network.latency + bytes * network.byte + here + parts;
  const double alone = here + combined * network.byte;
  const double turns = std::ceil(static_cast<double>(what.ranks) / machine.cores);
  const double work = all.messages * machine.gap + all.bytes * network.byte + all.copied * machine.copied_byte +
                      all.combined * machine.combined_byte;
  return steps * turns * machine.turn + std::max(alone, work / machine.cores) + parts;
}

// Longer chunks cost fewer latencies, shorter ones less waiting for the first: where both grow alike, the sum is
// least.
std::size_t Machine::chunk_bytes(const Case& what, int processes) const {
  if (chunk != 0) return chunk;
  constexpr double kLeast = 4096, kMost = 1 << 20;
  const Network& way = network(what);
  const double waiting = std::max(1, processes - 1) * way.byte;
  const double best = std::sqrt(static_cast<double>(what.bytes) * (way.latency + gap) / waiting);
  return std::bit_floor(static_cast<std::size_t>(std::clamp(best, kLeast, kMost)));
}

bool Candidate::can(const Case& what) const {
  const auto satisfied = [&](Needs need, bool given) { return (needs & need) == 0 || given; };
  return satisfied(commuting, what.commutes) &&
         satisfied(element_a_rank, what.elements >= static_cast<std::size_t>(what.ranks)) &&
         satisfied(power_of_two, std::has_single_bit(static_cast<unsigned>(what.ranks))) &&
         satisfied(several_nodes, what.nodes > 1 && what.nodes < what.ranks) &&
         satisfied(nodes_in_order, what.nodes_in_order) &&
         satisfied(order_kept_by_nodes, what.nodes_in_order || what.commutes);
}

std::span<const Candidate> candidates(Operation operation) { return row(operation).candidates; }

const Candidate* candidate(Operation operation, int number) {
  const auto all = candidates(operation);
  const auto found = std::ranges::find(all, number, &Candidate::number);
  return found == all.end() ? nullptr : &*found;
}

const Candidate& cheapest(const Case& what, const Machine& machine) {
  const Candidate* best = nullptr;
  double least = 0;
  for (const Candidate& each : candidates(what.operation)) {
    if (!each.can(what) || !each.is_chosen_by_cost()) continue;
    const double time = each.estimate(what, machine).nanoseconds(what, machine);
    if (best && time >= least) continue;
    best = &each;
    least = time;
  }
  return *best;
}

int wanted(Operation operation, const settings::Values& settings) { return row(operation).wanted(settings); }

const Chooser::Column& Chooser::column(Operation operation, int ranks) {
  const auto [found, is_new] = columns_[static_cast<std::size_t>(operation)].try_emplace(ranks);
  Column& column = found->second;
  if (!is_new) return column;
  column.ranks = ranks;
  for (std::size_t width = 0; width < column.numbers.size(); ++width) {
    constexpr std::size_t kLongest = 50;  // no vector has more bytes than that
    const std::size_t bytes = width == 0 ? 0 : std::size_t{1} << (std::min(width, kLongest) - 1);
    column.numbers[width] = static_cast<std::uint8_t>(
        cheapest({.operation = operation, .ranks = ranks, .bytes = bytes}, machine_).number);
  }
  return column;
}

namespace {
// What combines in the order in which boards do; 0 where there is nothing to combine.
int number_like_boards(Operation operation) {
  switch (operation) {
    case Operation::reduce:
      return static_cast<int>(settings::ReduceAlgorithm::binomial);
    case Operation::allreduce:
      return static_cast<int>(settings::AllreduceAlgorithm::recursive_doubling);
    case Operation::scan:
      return static_cast<int>(settings::ScanAlgorithm::doubling);
    default:
      return 0;
  }
}
}  // namespace

int Choice::unusual_number(int wanted, Case& what) const {
  if (wanted == 0 && is_like_boards_) wanted = number_like_boards(what.operation);
  if (nodes_) {
    what.nodes = nodes_->number();
    what.nodes_in_order = nodes_->in_order();
  } else if (is_between_nodes_) {
    what.nodes = what.ranks;
  }
  if (wanted != 0)
    if (const Candidate* asked_for = candidate(what.operation, wanted); asked_for && asked_for->can(what))
      return wanted;
  return cheapest(what, machine()).number;
}

}  // namespace antiphon::coll
