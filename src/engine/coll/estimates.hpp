// What each algorithm costs: messages and bytes on the critical path, and of all processes. One function for each
// algorithm in the tables of candidates.cpp. Pure.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/coll/candidates.hpp"
#include "engine/coll/model.hpp"

namespace antiphon::coll::estimates {

using enum Operation;

// Quantities that many estimates use: n ranks, log2(n) rounded up (`rounds`), and b bytes.
struct Sizes {
  explicit Sizes(const Case& what)
      : n(what.ranks),
        rounds(static_cast<int>(std::bit_width(static_cast<unsigned>(what.ranks - 1)))),
        b(static_cast<double>(what.bytes)),
        shares(n > 1 ? (n - 1) / n : 0),
        spare(std::has_single_bit(static_cast<unsigned>(what.ranks)) ? 0 : 1) {}
  double n;
  double rounds;
  double b;
  double shares;  // of the vector that each rank sends if it is cut into a block for each
  double spare;   // 1 if some ranks stay out, because their number is no power of two
};

// An algorithm in which all ranks do the same, so the critical path has what one of them does.
inline Estimate alike(const Case& what, Estimate each) {
  const double n = what.ranks;
  each.all = {n * (each.steps + each.messages / 2), n * each.bytes, n * each.copied, n * each.combined};
  return each;
}

// ---- Trees

// The path to the rank that a k-nomial tree reaches last: its levels, and the messages that the ranks on it send to
// children up to the next rank on it. That is k - 1 on each level; on the root's perhaps fewer.
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

// Messages down a k-nomial tree, or up. `combined`: ranks combine what they receive, and do not only pass it on.
inline Estimate knomial(const Case& what, int bits, bool combined) {
  const Sizes s(what);
  const KnomialWay way(s.n, bits);
  const double bytes = way.children * s.b, all = (s.n - 1) * s.b;
  return {.steps = way.levels,
          .messages = way.children - way.levels,
          .bytes = bytes,
          .combined = combined ? bytes : 0,
          .all = {.messages = s.n - 1, .bytes = all, .combined = combined ? all : 0}};
}

// Messages of b bytes between the root and every other rank.
inline Estimate linear(const Case& what, bool combined) {
  const Sizes s(what);
  const double bytes = (s.n - 1) * s.b;
  return {.steps = 1,
          .messages = s.n - 2,
          .bytes = bytes,
          .combined = combined ? bytes : 0,
          .all = {.messages = s.n - 1, .bytes = bytes, .combined = combined ? bytes : 0}};
}

// Chunks that follow one another through a tree in which each rank has `children` children.
inline Estimate pipelined(const Case& what, const Machine& machine, int children, bool combined) {
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

// Blocks that go up a tree to the root, those of a whole subtree in one message; or down.
inline Estimate blocks_by_tree(const Case& what, int bits) {
  const Sizes s(what);
  const KnomialWay way(s.n, bits);
  const double bytes = (s.n - 1) * s.b;
  return {.steps = way.levels,
          .messages = way.children - way.levels,
          .bytes = bytes,
          .copied = bytes / 2,
          .all = {.messages = s.n - 1, .bytes = bytes * (1 + way.levels) / 2, .copied = bytes / 2}};
}

inline Estimate sum(const Estimate& first, const Estimate& then) {
  return {.steps = first.steps + then.steps,
          .messages = first.messages + then.messages,
          .bytes = first.bytes + then.bytes,
          .copied = first.copied + then.copied,
          .combined = first.combined + then.combined,
          .all = {first.all.messages + then.all.messages, first.all.bytes + then.all.bytes,
                  first.all.copied + then.all.copied, first.all.combined + then.all.combined},
          .parts = first.parts + then.parts};
}

// The cost of another collective that is a part of an algorithm.
inline Estimate best(const Case& what, const Machine& machine) {
  return cheapest(what, machine).estimate(what, machine);
}
inline double time_of_best(const Case& what, const Machine& machine) {
  return best(what, machine).nanoseconds(what, machine);
}
inline Case with_operation(Case what, Operation operation) {
  what.operation = operation;
  return what;
}

// ---- Hierarchies

inline Case within_a_node(const Case& what, Operation operation) {
  Case part = what;
  part.operation = operation;
  part.ranks = std::max(1, (what.ranks + what.nodes - 1) / what.nodes);
  part.nodes = 1;
  return part;
}
// A collective among one rank of each node: all messages go between nodes.
inline Case between_leaders(const Case& what, Operation operation) {
  Case part = what;
  part.operation = operation;
  part.ranks = what.nodes;
  return part;
}

template <Operation... Within>
inline double parts_within(const Case& what, const Machine& machine) {
  return (time_of_best(within_a_node(what, Within), machine) + ... + 0.0);
}

// ---- Barrier

inline Estimate barrier_dissemination(const Case& what, const Machine&) {
  return alike(what, {.steps = Sizes(what).rounds});
}
inline Estimate barrier_tree(const Case& what, const Machine&) {
  return sum(knomial(what, 1, false), knomial(what, 1, false));
}
inline Estimate barrier_hierarchical(const Case& what, const Machine& machine) {
  return Estimate{.parts = parts_within<bcast, bcast>(what, machine) +
                           time_of_best(between_leaders(what, barrier), machine)};
}

// ---- Bcast

inline Estimate bcast_linear(const Case& what, const Machine&) { return linear(what, false); }
inline Estimate bcast_binomial(const Case& what, const Machine&) { return knomial(what, 1, false); }
inline Estimate bcast_knomial(const Case& what, const Machine& machine) {
  return knomial(what, machine.radix_bits, false);
}
inline Estimate bcast_scatter_allgather(const Case& what, const Machine&) {
  const Sizes s(what);
  return Estimate{.steps = s.rounds + s.n - 1,
                  .bytes = 2 * s.b * s.shares,
                  .all = {.messages = (s.n - 1) * (s.n + 1), .bytes = (s.n - 1 + s.rounds / 2) * s.b}};
}
inline Estimate bcast_chain(const Case& what, const Machine& machine) { return pipelined(what, machine, 1, false); }
inline Estimate bcast_binary(const Case& what, const Machine& machine) { return pipelined(what, machine, 2, false); }
inline Estimate bcast_hierarchical(const Case& what, const Machine& machine) {
  return Estimate{.parts = parts_within<bcast>(what, machine) + time_of_best(between_leaders(what, bcast), machine)};
}

// ---- Reduce

inline Estimate reduce_linear(const Case& what, const Machine&) { return linear(what, true); }
inline Estimate reduce_binomial(const Case& what, const Machine&) { return knomial(what, 1, true); }
inline Estimate reduce_knomial(const Case& what, const Machine& machine) {
  return knomial(what, machine.radix_bits, true);
}
inline Estimate reduce_rabenseifner(const Case& what, const Machine&) {
  const Sizes s(what);
  return alike(what, {.steps = 2 * s.rounds + s.spare,
                      .bytes = (2 * s.shares + s.spare) * s.b,
                      .copied = s.b,
                      .combined = (s.shares + s.spare) * s.b});
}
inline Estimate reduce_chain(const Case& what, const Machine& machine) { return pipelined(what, machine, 1, true); }
inline Estimate reduce_hierarchical(const Case& what, const Machine& machine) {
  return Estimate{.parts =
                      parts_within<reduce>(what, machine) + time_of_best(between_leaders(what, reduce), machine)};
}

// ---- Allreduce

inline Estimate allreduce_recursive_doubling(const Case& what, const Machine&) {
  const Sizes s(what);
  const double rounds = s.rounds + s.spare;
  return alike(what, {.steps = rounds, .bytes = rounds * s.b, .copied = s.b, .combined = s.rounds * s.b});
}
inline Estimate allreduce_ring(const Case& what, const Machine&) {
  const Sizes s(what);
  return alike(what, {.steps = 2 * (s.n - 1), .bytes = 2 * s.shares * s.b, .combined = s.shares * s.b});
}
inline Estimate allreduce_rabenseifner(const Case& what, const Machine&) {
  const Sizes s(what);
  const double rounds = s.rounds - s.spare;
  return alike(what, {.steps = 2 * (rounds + s.spare),
                      .bytes = 2 * (s.shares + s.spare) * s.b,
                      .copied = s.b,
                      .combined = (s.shares + s.spare) * s.b});
}
inline Estimate allreduce_reduce_bcast(const Case& what, const Machine& machine) {
  return sum(knomial(what, 1, true), best(with_operation(what, bcast), machine));
}
inline Estimate allreduce_hierarchical(const Case& what, const Machine& machine) {
  return Estimate{.parts = parts_within<reduce, bcast>(what, machine) +
                           time_of_best(between_leaders(what, allreduce), machine)};
}

// ---- Gather and scatter

// Blocks of ranks on the root's own node take less time.
inline Estimate blocks_linear(const Case& what, const Machine& machine) {
  Estimate each = linear(what, false);
  if (what.nodes > 1 && machine.far.byte > 0) {
    const double neighbours = within_a_node(what, gather).ranks - 1;
    each.bytes -= neighbours * static_cast<double>(what.bytes) * (1 - machine.near.byte / machine.far.byte);
  }
  return each;
}
inline Estimate blocks_binomial(const Case& what, const Machine&) { return blocks_by_tree(what, 1); }
inline Estimate blocks_knomial(const Case& what, const Machine& machine) {
  return blocks_by_tree(what, machine.radix_bits);
}
// The blocks of all ranks of a node together.
inline Case of_whole_nodes(const Case& what, Operation operation) {
  Case between = between_leaders(what, operation);
  between.bytes *= static_cast<std::size_t>(within_a_node(what, operation).ranks);
  return between;
}
// A leader copies what it passes on.
template <Operation what_it_is>
inline Estimate blocks_by_node(const Case& what, const Machine& machine) {
  const Case whole = of_whole_nodes(what, what_it_is);
  return Estimate{.copied = static_cast<double>(whole.bytes),
                  .parts = parts_within<what_it_is>(what, machine) + time_of_best(whole, machine)};
}
inline Estimate gather_hierarchical(const Case& what, const Machine& machine) {
  return blocks_by_node<gather>(what, machine);
}
inline Estimate scatter_hierarchical(const Case& what, const Machine& machine) {
  return blocks_by_node<scatter>(what, machine);
}

// ---- Allgather and alltoall

// Every rank gets a block of b bytes from every other.
inline Estimate bruck_allgather(const Case& what, const Machine&) {
  const Sizes s(what);
  return alike(what, {.steps = s.rounds, .bytes = (s.n - 1) * s.b, .copied = (s.n + 1) * s.b});
}
inline Estimate ring_allgather(const Case& what, const Machine&) {
  const Sizes s(what);
  return alike(what, {.steps = s.n - 1, .bytes = (s.n - 1) * s.b});
}
inline Estimate spread(const Case& what, const Machine&) {
  const Sizes s(what);
  return alike(what, {.steps = 1, .messages = 2 * (s.n - 2), .bytes = (s.n - 1) * s.b});
}
inline Estimate pairwise(const Case& what, const Machine&) {
  const Sizes s(what);
  return alike(what, {.steps = s.n - 1, .bytes = (s.n - 1) * s.b});
}
inline Estimate allgather_recursive_doubling(const Case& what, const Machine&) {
  const Sizes s(what);
  return alike(what, {.steps = s.rounds, .bytes = (s.n - 1) * s.b});
}
inline Estimate allgather_gather_bcast(const Case& what, const Machine& machine) {
  Case everything = with_operation(what, bcast);
  everything.bytes *= static_cast<std::size_t>(what.ranks);
  return sum(blocks_by_tree(what, 1), best(everything, machine));
}
inline Estimate allgather_hierarchical(const Case& what, const Machine& machine) {
  Case everything = what;
  everything.bytes *= static_cast<std::size_t>(what.ranks);
  return Estimate{.parts = parts_within<gather>(what, machine) +
                           time_of_best(of_whole_nodes(what, allgatherv), machine) +
                           parts_within<bcast>(everything, machine)};
}
// The same, but through packed copies of all blocks, and each rank sends to its leader directly.
inline Estimate allgatherv_hierarchical(const Case& what, const Machine& machine) {
  Case everything = what;
  everything.bytes *= static_cast<std::size_t>(what.ranks);
  const Case on_node = within_a_node(what, gather);
  return Estimate{.copied = static_cast<double>(everything.bytes),
                  .parts = linear(on_node, false).nanoseconds(on_node, machine) +
                           time_of_best(of_whole_nodes(what, allgatherv), machine) +
                           parts_within<bcast>(everything, machine)};
}
inline Estimate alltoall_bruck(const Case& what, const Machine&) {
  const Sizes s(what);
  const double sent = s.rounds * s.n / 2 * s.b;
  return alike(what, {.steps = s.rounds, .bytes = sent, .copied = 2 * sent + 2 * s.n * s.b});
}

// A leader copies all that its node sends and receives to and from messages.
inline Estimate alltoall_hierarchical(const Case& what, const Machine& machine) {
  Case of_rank = what, between = of_whole_nodes(what, alltoallv);
  of_rank.bytes *= static_cast<std::size_t>(what.ranks);
  const auto own = static_cast<std::size_t>(within_a_node(what, gather).ranks);
  between.bytes *= own;
  return Estimate{.copied = 2 * static_cast<double>(of_rank.bytes * (own + 1)),
                  .parts = parts_within<gather, scatter>(of_rank, machine) + time_of_best(between, machine)};
}

// ---- Reduce-scatter

inline Estimate reduce_scatter_halving(const Case& what, const Machine&) {
  const Sizes s(what);
  return alike(what, {.steps = s.rounds + s.spare,
                      .bytes = (s.shares + s.spare) * s.b,
                      .copied = s.b,
                      .combined = (s.shares + s.spare) * s.b});
}
inline Estimate reduce_scatter_ring(const Case& what, const Machine&) {
  const Sizes s(what);
  return alike(what, {.steps = s.n - 1, .bytes = s.shares * s.b, .combined = s.shares * s.b});
}
inline Estimate reduce_then_scatter(const Case& what, const Machine& machine) {
  Case share = what;
  share.bytes /= static_cast<std::size_t>(what.ranks);
  return sum(best(with_operation(what, reduce), machine), linear(share, false));
}

// ---- Scan

inline Estimate scan_doubling(const Case& what, const Machine&) {
  const Sizes s(what);
  return alike(what, {.steps = s.rounds, .bytes = s.rounds * s.b, .combined = s.rounds * s.b});
}
inline Estimate scan_linear(const Case& what, const Machine&) {
  const Sizes s(what);
  const double bytes = (s.n - 1) * s.b;
  return Estimate{.steps = s.n - 1,
                  .bytes = bytes,
                  .combined = bytes,
                  .all = {.messages = s.n - 1, .bytes = bytes, .combined = bytes}};
}

}  // namespace antiphon::coll::estimates
