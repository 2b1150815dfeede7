#include "engine/coll/candidates.hpp"

#include <algorithm>
#include <bit>

#include "engine/coll/estimates.hpp"

namespace antiphon::coll {

namespace {

using enum Operation;
using namespace estimates;
using settings::Values;
using Needs = Candidate::Needs;

using Barrier = settings::BarrierAlgorithm;
constexpr Candidate kBarrier[] = {
    {Barrier::dissemination, barrier_dissemination},
    {Barrier::tree, barrier_tree},
    {Barrier::hierarchical, barrier_hierarchical, Needs::several_nodes},
};

using Bcast = settings::BcastAlgorithm;
constexpr Candidate kBcast[] = {
    {Bcast::linear, bcast_linear},
    {Bcast::binomial, bcast_binomial},
    {Bcast::knomial, bcast_knomial},
    {Bcast::scatter_allgather, bcast_scatter_allgather},
    {Bcast::chain, bcast_chain, Needs::sure_length},
    {Bcast::binary, bcast_binary, Needs::sure_length},
    {Bcast::hierarchical, bcast_hierarchical, Needs::several_nodes},
};

using Reduce = settings::ReduceAlgorithm;
constexpr Candidate kReduce[] = {
    {Reduce::linear, reduce_linear},
    {Reduce::binomial, reduce_binomial},
    {Reduce::knomial, reduce_knomial},
    {Reduce::rabenseifner, reduce_rabenseifner, Needs::element_a_rank},
    {Reduce::chain, reduce_chain, Needs::sure_length},
    {Reduce::hierarchical, reduce_hierarchical, Needs::several_nodes | Needs::order_kept_by_nodes},
};

using Allreduce = settings::AllreduceAlgorithm;
constexpr Candidate kAllreduce[] = {
    {Allreduce::recursive_doubling, allreduce_recursive_doubling},
    {Allreduce::ring, allreduce_ring, Needs::commuting | Needs::element_a_rank},
    {Allreduce::rabenseifner, allreduce_rabenseifner, Needs::element_a_rank},
    {Allreduce::reduce_bcast, allreduce_reduce_bcast},
    {Allreduce::hierarchical, allreduce_hierarchical, Needs::several_nodes | Needs::order_kept_by_nodes},
};

using Gather = settings::GatherAlgorithm;
constexpr Candidate kGather[] = {
    {Gather::linear, blocks_linear},
    {Gather::binomial, blocks_binomial},
    {Gather::knomial, blocks_knomial},
    {Gather::hierarchical, gather_hierarchical, Needs::several_nodes},
};

using Scatter = settings::ScatterAlgorithm;
constexpr Candidate kScatter[] = {
    {Scatter::linear, blocks_linear},
    {Scatter::binomial, blocks_binomial},
    {Scatter::knomial, blocks_knomial},
    {Scatter::hierarchical, scatter_hierarchical, Needs::several_nodes},
};

using Allgather = settings::AllgatherAlgorithm;
constexpr Candidate kAllgather[] = {
    {Allgather::bruck, bruck_allgather},
    {Allgather::ring, ring_allgather},
    {Allgather::recursive_doubling, allgather_recursive_doubling, Needs::power_of_two},
    {Allgather::gather_bcast, allgather_gather_bcast},
    {Allgather::spread, spread, Needs::request},
    {Allgather::hierarchical, allgather_hierarchical, Needs::several_nodes | Needs::nodes_in_order},
};

using Allgatherv = settings::AllgathervAlgorithm;
constexpr Candidate kAllgatherv[] = {
    {Allgatherv::bruck, bruck_allgather},
    {Allgatherv::ring, ring_allgather},
    {Allgatherv::spread, spread, Needs::request},
    {Allgatherv::hierarchical, allgatherv_hierarchical, Needs::several_nodes | Needs::nodes_in_order},
};

using Alltoall = settings::AlltoallAlgorithm;
constexpr Candidate kAlltoall[] = {
    {Alltoall::spread, spread},
    {Alltoall::pairwise, pairwise},
    {Alltoall::bruck, alltoall_bruck},
    {Alltoall::hierarchical, alltoall_hierarchical, Needs::several_nodes | Needs::nodes_in_order},
};

using Alltoallv = settings::AlltoallvAlgorithm;
constexpr Candidate kAlltoallv[] = {
    {Alltoallv::spread, spread},
    {Alltoallv::pairwise, pairwise},
};

using ReduceScatter = settings::ReduceScatterAlgorithm;
constexpr Candidate kReduceScatter[] = {
    {ReduceScatter::halving, reduce_scatter_halving, Needs::commuting},
    {ReduceScatter::ring, reduce_scatter_ring, Needs::commuting},
    {ReduceScatter::reduce_scatter, reduce_then_scatter},
};

using Scan = settings::ScanAlgorithm;
constexpr Candidate kScan[] = {
    {Scan::doubling, scan_doubling},
    {Scan::linear, scan_linear},
};

template <auto Setting>
int value_of(const Values& settings) {
  return static_cast<int>(settings.*Setting);
}

// In the order of Operation.
struct Row {
  std::span<const Candidate> candidates;
  int (*wanted)(const Values& settings);
};
constexpr Row kTable[kOperations] = {{kBarrier, value_of<&Values::barrier_algorithm>},
                                     {kBcast, value_of<&Values::bcast_algorithm>},
                                     {kReduce, value_of<&Values::reduce_algorithm>},
                                     {kAllreduce, value_of<&Values::allreduce_algorithm>},
                                     {kGather, value_of<&Values::gather_algorithm>},
                                     {kScatter, value_of<&Values::scatter_algorithm>},
                                     {kAllgather, value_of<&Values::allgather_algorithm>},
                                     {kAllgatherv, value_of<&Values::allgatherv_algorithm>},
                                     {kAlltoall, value_of<&Values::alltoall_algorithm>},
                                     {kAlltoallv, value_of<&Values::alltoallv_algorithm>},
                                     {kReduceScatter, value_of<&Values::reduce_scatter_algorithm>},
                                     {kScan, value_of<&Values::scan_algorithm>}};

const Row& row(Operation operation) {
  return kTable[static_cast<std::size_t>(operation == exscan ? scan : operation)];
}

}  // namespace

bool Candidate::can(const Case& what) const {
  const auto satisfied = [&](Needs need, bool given) { return (needs & need) == 0 || given; };
  return satisfied(commuting, what.commutes) &&
         satisfied(element_a_rank, what.elements >= static_cast<std::size_t>(what.ranks)) &&
         satisfied(power_of_two, std::has_single_bit(static_cast<unsigned>(what.ranks))) &&
         satisfied(several_nodes, what.nodes > 1 && what.nodes < what.ranks) &&
         satisfied(nodes_in_order, what.nodes_in_order) &&
         satisfied(order_kept_by_nodes, what.nodes_in_order || what.commutes) &&
         satisfied(sure_length, what.length_is_sure);
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

}  // namespace antiphon::coll
