// Hierarchical alltoall: each leader gathers all that its node sends, leaders exchange one message for each pair of
// nodes, and scatter what they received. For short blocks and many ranks on a node. The ranks of each node are
// consecutive.
#pragma once

#include <vector>

#include "engine/coll/among.hpp"
#include "engine/coll/choice.hpp"
#include "engine/coll/plans/gather.hpp"
#include "engine/coll/plans/scatter.hpp"

namespace antiphon::coll::alltoall {

template <Sink S>
void within(S& sink, const CommView& comm, const BlockList& out, const BlockList& in, const Choice& choice);

template <Sink S>
void hierarchical(S& sink, const CommView& comm, const Region& out, const Region& in, const Choice& choice) {
  const objects::Nodes& nodes = choice.nodes();
  const Hierarchy levels(sink, nodes, 0);
  Among<S> node = levels.node();
  if (!levels.leads()) {
    gather::within(node, node.view(), out, {}, 0, choice.within_node());
    return scatter::within(node, node.view(), {}, in, 0, choice.within_node());
  }

  // First what each rank of this node sends to all ranks, and later what it receives from all.
  const int own = node.view().size;
  const Region of_each = scratch_region(sink, out.bytes * static_cast<std::size_t>(own));
  sink.copy(out, of_each.block(0, own));
  gather::within(node, node.view(), {}, of_each, 0, choice.within_node());

  // The message to another node has the blocks of this node's first rank for all ranks there, then those of its
  // second rank, and so on.
  const auto size_of = [&](int other) { return static_cast<int>(nodes.members(other).size()); };
  const auto blocks_with = [&](const Region& of_rank, int other) {
    return of_rank.blocks(nodes.members(other).front(), size_of(other), comm.size);
  };
  const Region leaving = scratch_region(sink, of_each.bytes), arriving = scratch_region(sink, of_each.bytes);
  std::vector<Region> to, from;
  for (int other = 0; other < nodes.number(); ++other) {
    const int first = nodes.members(other).front() * own, number = size_of(other) * own;
    to.push_back(leaving.blocks(first, number, comm.size * own));
    from.push_back(arriving.blocks(first, number, comm.size * own));
    for (int i = 0; i < own; ++i) sink.copy(blocks_with(of_each.block(i, own), other), to.back().block(i, own));
  }
  Among<S> leaders = levels.leaders();
  within(leaders, leaders.view(), BlockList(std::move(to)), BlockList(from), choice.between_nodes());

  for (int rank = 0; rank < comm.size; ++rank) {
    const Region sent = arriving.blocks(rank * own, own, comm.size * own);
    for (int i = 0; i < own; ++i) sink.copy(sent.block(i, own), of_each.block(i, own).block(rank, comm.size));
  }
  scatter::within(node, node.view(), of_each, {}, 0, choice.within_node());
  sink.copy(of_each.block(0, own), in);
}

}  // namespace antiphon::coll::alltoall
