#include "engine/coll/choice.hpp"

#include <algorithm>
#include <cmath>

namespace antiphon::coll {

namespace {

using Needs = Candidate::Needs;

// What estimates are made of: n ranks, of which the logarithm, rounded up, is `rounds`; and b bytes.
struct Sizes {
  explicit Sizes(const Case& what)
      : n(what.ranks),
        rounds(std::bit_width(static_cast<unsigned>(what.ranks - 1))),
        b(static_cast<double>(what.bytes)),
        shares(n > 1 ? (n - 1) / n : 0),
        spare(std::has_single_bit(static_cast<unsigned>(what.ranks)) ? 0 : 1) {}
  double n;
  double rounds;
  double b;
  double shares;  // of the vector, that each sends if it is cut into a block for each rank
  double spare;   // 1 if some have to stay out until a power of two is left
};

// Of an algorithm in which all ranks do the same: what one of them does is on the longest way.
Estimate alike(const Case& what, Estimate each) {
  const double n = what.ranks;
  each.all = {n * (each.steps + each.messages / 2), n * each.bytes, n * each.copied, n * each.combined};
  return each;
}

// ---- Trees

// The last to be reached in a k-nomial tree: on how many levels, and after how many children of those above it. Below
// the root's own level all have k-1.
struct KnomialWay {
  KnomialWay(double n, int bits) {
    double reached = 1;
    for (const double k = 1 << bits; reached < n; reached *= k) {
      children += std::min(k, std::ceil(n / reached)) - 1;
      ++levels;
    }
  }
  double levels = 0, children = 0;
};

// Down a k-nomial tree, or up; `combined`: each time, rather than passed on.
Estimate knomial(const Case& what, int bits, bool combined) {
  const Sizes s(what);
  const KnomialWay way(s.n, bits);
  const double bytes = way.children * s.b, all = (s.n - 1) * s.b;
  return {.steps = way.levels,
          .messages = way.children - way.levels,
          .bytes = bytes,
          .combined = combined ? bytes : 0,
          .all = {.messages = s.n - 1, .bytes = all, .combined = combined ? all : 0}};
}

// The root with everybody, b bytes each.
Estimate linear(const Case& what, bool combined) {
  const Sizes s(what);
  const double bytes = (s.n - 1) * s.b;
  return {.steps = 1,
          .messages = s.n - 2,
          .bytes = bytes,
          .combined = combined ? bytes : 0,
          .all = {.messages = s.n - 1, .bytes = bytes, .combined = combined ? bytes : 0}};
}

// Chunks through a tree in which each has so many children.
Estimate pipelined(const Case& what, const Machine& machine, int children, bool combined) {
  const Sizes s(what);
  const double depth = children == 1 ? s.n - 1 : std::floor(std::log2(s.n));
  const auto chunk = static_cast<double>(machine.chunk_bytes(what, static_cast<int>(depth)));
  const double chunks = std::max(1.0, std::ceil(s.b / chunk)), each = std::min(chunk, s.b);
  const double sent = children * (depth + chunks - 1), all = (s.n - 1) * s.b;
  return {.steps = depth,
          .messages = sent - depth,
          .bytes = sent * each,
          .combined = combined ? sent * each : 0,
          .all = {.messages = (s.n - 1) * chunks, .bytes = all, .combined = combined ? all : 0}};
}

// To the root up a tree, the blocks of all below a rank in one message, or back.
Estimate blocks_by_tree(const Case& what, int bits) {
  const Sizes s(what);
  const KnomialWay way(s.n, bits);
  const double bytes = (s.n - 1) * s.b;
  return {.steps = way.levels,
          .messages = way.children - way.levels,
          .bytes = bytes,
          .copied = bytes / 2,
          .all = {.messages = s.n - 1, .bytes = bytes * (1 + way.levels) / 2, .copied = bytes / 2}};
}

Estimate sum(const Estimate& first, const Estimate& then) {
  return {.steps = first.steps + then.steps,
          .messages = first.messages + then.messages,
          .bytes = first.bytes + then.bytes,
          .copied = first.copied + then.copied,
          .combined = first.combined + then.combined,
          .all = {first.all.messages + then.all.messages, first.all.bytes + then.all.bytes,
                  first.all.copied + then.all.copied, first.all.combined + then.all.combined},
          .parts = first.parts + then.parts};
}

// What another collective costs that an algorithm is made of.
Estimate best(const Case& what, const Machine& machine) { return cheapest(what, machine).estimate(what, machine); }
double time_of_best(const Case& what, const Machine& machine) {
  return best(what, machine).nanoseconds(what, machine);
}
Case with_operation(Case what, Operation operation) {
  what.operation = operation;
  return what;
}

// ---- Hierarchies

Case within_a_node(const Case& what, Operation operation) {
  Case part = what;
  part.operation = operation;
  part.ranks = std::max(1, (what.ranks + what.nodes - 1) / what.nodes);
  part.nodes = 1;
  return part;
}
// One rank of each node. Their messages are all between nodes.
Case between_leaders(const Case& what, Operation operation) {
  Case part = what;
  part.operation = operation;
  part.ranks = what.nodes;
  return part;
}

template <Operation... Within>
double parts_within(const Case& what, const Machine& machine) {
  return (time_of_best(within_a_node(what, Within), machine) + ... + 0.0);
}

// ---- The table

using enum Operation;
using settings::Values;

template <class Enum>
constexpr int number(Enum algorithm) {
  return static_cast<int>(algorithm);
}

using Barrier = settings::BarrierAlgorithm;
constexpr Candidate kBarrier[] = {
    {number(Barrier::dissemination),
     [](const Case& what, const Machine&) { return alike(what, {.steps = Sizes(what).rounds}); }},
    {number(Barrier::tree),
     [](const Case& what, const Machine&) { return sum(knomial(what, 1, false), knomial(what, 1, false)); }},
    {number(Barrier::hierarchical),
     [](const Case& what, const Machine& machine) {
       return Estimate{.parts = parts_within<bcast, bcast>(what, machine) +
                                time_of_best(between_leaders(what, barrier), machine)};
     },
     Needs::several_nodes}};

using Bcast = settings::BcastAlgorithm;
constexpr Candidate kBcast[] = {
    {number(Bcast::linear), [](const Case& what, const Machine&) { return linear(what, false); }},
    {number(Bcast::binomial), [](const Case& what, const Machine&) { return knomial(what, 1, false); }},
    {number(Bcast::knomial),
     [](const Case& what, const Machine& machine) { return knomial(what, machine.radix_bits, false); }},
    {number(Bcast::scatter_allgather),
     [](const Case& what, const Machine&) {
       const Sizes s(what);
       return Estimate{.steps = s.rounds + s.n - 1,
                       .bytes = 2 * s.b * s.shares,
                       .all = {.messages = (s.n - 1) * (s.n + 1), .bytes = (s.n - 1 + s.rounds / 2) * s.b}};
     }},
    {number(Bcast::chain),
     [](const Case& what, const Machine& machine) { return pipelined(what, machine, 1, false); }},
    {number(Bcast::binary),
     [](const Case& what, const Machine& machine) { return pipelined(what, machine, 2, false); }},
    {number(Bcast::hierarchical),
     [](const Case& what, const Machine& machine) {
       return Estimate{.parts =
                           parts_within<bcast>(what, machine) + time_of_best(between_leaders(what, bcast), machine)};
     },
     Needs::several_nodes}};

using Reduce = settings::ReduceAlgorithm;
constexpr Candidate kReduce[] = {
    {number(Reduce::linear), [](const Case& what, const Machine&) { return linear(what, true); }},
    {number(Reduce::binomial), [](const Case& what, const Machine&) { return knomial(what, 1, true); }},
    {number(Reduce::knomial),
     [](const Case& what, const Machine& machine) { return knomial(what, machine.radix_bits, true); }},
    {number(Reduce::rabenseifner),
     [](const Case& what, const Machine&) {
       const Sizes s(what);
       return alike(what, {.steps = 2 * s.rounds + s.spare,
                           .bytes = (2 * s.shares + s.spare) * s.b,
                           .copied = s.b,
                           .combined = (s.shares + s.spare) * s.b});
     },
     Needs::element_a_rank},
    {number(Reduce::chain),
     [](const Case& what, const Machine& machine) { return pipelined(what, machine, 1, true); }},
    {number(Reduce::hierarchical),
     [](const Case& what, const Machine& machine) {
       return Estimate{.parts = parts_within<reduce>(what, machine) +
                                time_of_best(between_leaders(what, reduce), machine)};
     },
     Needs::several_nodes | Needs::order_kept_by_nodes}};

using Allreduce = settings::AllreduceAlgorithm;
constexpr Candidate kAllreduce[] = {
    {number(Allreduce::recursive_doubling),
     [](const Case& what, const Machine&) {
       const Sizes s(what);
       const double rounds = s.rounds + s.spare;
       return alike(what, {.steps = rounds, .bytes = rounds * s.b, .copied = s.b, .combined = s.rounds * s.b});
     }},
    {number(Allreduce::ring),
     [](const Case& what, const Machine&) {
       const Sizes s(what);
       return alike(what, {.steps = 2 * (s.n - 1), .bytes = 2 * s.shares * s.b, .combined = s.shares * s.b});
     },
     Needs::commuting | Needs::element_a_rank},
    {number(Allreduce::rabenseifner),
     [](const Case& what, const Machine&) {
       const Sizes s(what);
       const double rounds = s.rounds - s.spare;
       return alike(what, {.steps = 2 * (rounds + s.spare),
                           .bytes = 2 * (s.shares + s.spare) * s.b,
                           .copied = s.b,
                           .combined = (s.shares + s.spare) * s.b});
     },
     Needs::element_a_rank},
    {number(Allreduce::reduce_bcast),
     [](const Case& what, const Machine& machine) {
       return sum(knomial(what, 1, true), best(with_operation(what, bcast), machine));
     }},
    {number(Allreduce::hierarchical),
     [](const Case& what, const Machine& machine) {
       return Estimate{.parts = parts_within<reduce, bcast>(what, machine) +
                                time_of_best(between_leaders(what, allreduce), machine)};
     },
     Needs::several_nodes | Needs::order_kept_by_nodes}};

using Gather = settings::GatherAlgorithm;
constexpr Candidate kGather[] = {
    {number(Gather::linear), [](const Case& what, const Machine&) { return linear(what, false); }},
    {number(Gather::binomial), [](const Case& what, const Machine&) { return blocks_by_tree(what, 1); }},
    {number(Gather::knomial),
     [](const Case& what, const Machine& machine) { return blocks_by_tree(what, machine.radix_bits); }}};

using Scatter = settings::ScatterAlgorithm;
constexpr Candidate kScatter[] = {
    {number(Scatter::linear), [](const Case& what, const Machine&) { return linear(what, false); }},
    {number(Scatter::binomial), [](const Case& what, const Machine&) { return blocks_by_tree(what, 1); }},
    {number(Scatter::knomial),
     [](const Case& what, const Machine& machine) { return blocks_by_tree(what, machine.radix_bits); }}};

// Everybody sends a block to everybody: b bytes each, or what one rank has to get from all.
Estimate bruck_allgather(const Case& what, const Machine&) {
  const Sizes s(what);
  return alike(what, {.steps = s.rounds, .bytes = (s.n - 1) * s.b, .copied = (s.n + 1) * s.b});
}
Estimate ring_allgather(const Case& what, const Machine&) {
  const Sizes s(what);
  return alike(what, {.steps = s.n - 1, .bytes = (s.n - 1) * s.b});
}
Estimate spread(const Case& what, const Machine&) {
  const Sizes s(what);
  return alike(what, {.steps = 1, .messages = 2 * (s.n - 2), .bytes = (s.n - 1) * s.b});
}
Estimate pairwise(const Case& what, const Machine&) {
  const Sizes s(what);
  return alike(what, {.steps = s.n - 1, .bytes = (s.n - 1) * s.b});
}

using Allgather = settings::AllgatherAlgorithm;
constexpr Candidate kAllgather[] = {{number(Allgather::bruck), bruck_allgather},
                                    {number(Allgather::ring), ring_allgather},
                                    {number(Allgather::recursive_doubling),
                                     [](const Case& what, const Machine&) {
                                       const Sizes s(what);
                                       return alike(what, {.steps = s.rounds, .bytes = (s.n - 1) * s.b});
                                     },
                                     Needs::power_of_two},
                                    {number(Allgather::gather_bcast),
                                     [](const Case& what, const Machine& machine) {
                                       Case everything = with_operation(what, bcast);
                                       everything.bytes *= static_cast<std::size_t>(what.ranks);
                                       return sum(blocks_by_tree(what, 1), best(everything, machine));
                                     }},
                                    {number(Allgather::spread), spread, Needs::request},
                                    {number(Allgather::hierarchical),
                                     [](const Case& what, const Machine& machine) {
                                       const Case of_node = within_a_node(what, gather);
                                       Case between = between_leaders(what, allgatherv), everything = what;
                                       between.bytes *= static_cast<std::size_t>(of_node.ranks);
                                       everything.bytes *= static_cast<std::size_t>(what.ranks);
                                       return Estimate{.parts = parts_within<gather>(what, machine) +
                                                                time_of_best(between, machine) +
                                                                parts_within<bcast>(everything, machine)};
                                     },
                                     Needs::several_nodes | Needs::nodes_in_order}};

using Allgatherv = settings::AllgathervAlgorithm;
constexpr Candidate kAllgatherv[] = {{number(Allgatherv::bruck), bruck_allgather},
                                     {number(Allgatherv::ring), ring_allgather},
                                     {number(Allgatherv::spread), spread, Needs::request}};

using Alltoall = settings::AlltoallAlgorithm;
constexpr Candidate kAlltoall[] = {
    {number(Alltoall::spread), spread},
    {number(Alltoall::pairwise), pairwise},
    {number(Alltoall::bruck), [](const Case& what, const Machine&) {
       const Sizes s(what);
       const double sent = s.rounds * s.n / 2 * s.b;
       return alike(what, {.steps = s.rounds, .bytes = sent, .copied = 2 * sent + 2 * s.n * s.b});
     }}};

using Alltoallv = settings::AlltoallvAlgorithm;
constexpr Candidate kAlltoallv[] = {{number(Alltoallv::spread), spread}, {number(Alltoallv::pairwise), pairwise}};

using ReduceScatter = settings::ReduceScatterAlgorithm;
constexpr Candidate kReduceScatter[] = {
    {number(ReduceScatter::halving),
     [](const Case& what, const Machine&) {
       const Sizes s(what);
       return alike(what, {.steps = s.rounds + s.spare,
                           .bytes = (s.shares + s.spare) * s.b,
                           .copied = s.b,
                           .combined = (s.shares + s.spare) * s.b});
     },
     Needs::commuting},
    {number(ReduceScatter::ring),
     [](const Case& what, const Machine&) {
       const Sizes s(what);
       return alike(what, {.steps = s.n - 1, .bytes = s.shares * s.b, .combined = s.shares * s.b});
     },
     Needs::commuting},
    {number(ReduceScatter::reduce_scatter), [](const Case& what, const Machine& machine) {
       Case share = what;
       share.bytes /= static_cast<std::size_t>(what.ranks);
       return sum(best(with_operation(what, reduce), machine), linear(share, false));
     }}};

using Scan = settings::ScanAlgorithm;
constexpr Candidate kScan[] = {{number(Scan::doubling),
                                [](const Case& what, const Machine&) {
                                  const Sizes s(what);
                                  return alike(
                                      what, {.steps = s.rounds, .bytes = s.rounds * s.b, .combined = s.rounds * s.b});
                                }},
                               {number(Scan::linear), [](const Case& what, const Machine&) {
                                  const Sizes s(what);
                                  const double bytes = (s.n - 1) * s.b;
                                  return Estimate{.steps = s.n - 1,
                                                  .bytes = bytes,
                                                  .combined = bytes,
                                                  .all = {.messages = s.n - 1, .bytes = bytes, .combined = bytes}};
                                }}};

// In the order of Operation.
struct Row {
  std::string_view name;
  std::span<const Candidate> candidates;
  int (*wanted)(const Values& settings);
};
constexpr Row kTable[kOperations] = {
    {"barrier", kBarrier, [](const Values& settings) { return number(settings.barrier_algorithm); }},
    {"bcast", kBcast, [](const Values& settings) { return number(settings.bcast_algorithm); }},
    {"reduce", kReduce, [](const Values& settings) { return number(settings.reduce_algorithm); }},
    {"allreduce", kAllreduce, [](const Values& settings) { return number(settings.allreduce_algorithm); }},
    {"gather", kGather, [](const Values& settings) { return number(settings.gather_algorithm); }},
    {"scatter", kScatter, [](const Values& settings) { return number(settings.scatter_algorithm); }},
    {"allgather", kAllgather, [](const Values& settings) { return number(settings.allgather_algorithm); }},
    {"allgatherv", kAllgatherv, [](const Values& settings) { return number(settings.allgatherv_algorithm); }},
    {"alltoall", kAlltoall, [](const Values& settings) { return number(settings.alltoall_algorithm); }},
    {"alltoallv", kAlltoallv, [](const Values& settings) { return number(settings.alltoallv_algorithm); }},
    {"reduce_scatter", kReduceScatter,
     [](const Values& settings) { return number(settings.reduce_scatter_algorithm); }},
    {"scan", kScan, [](const Values& settings) { return number(settings.scan_algorithm); }}};

const Row& row(Operation operation) { return kTable[static_cast<std::size_t>(operation)]; }

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

std::string_view name_of(Operation operation) { return row(operation).name; }

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

int Choice::unusual_number(int wanted, Case& what) const {
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
