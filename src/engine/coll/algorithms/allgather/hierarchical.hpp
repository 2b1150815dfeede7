// Hierarchical allgather: a gather on each node, an allgather of whole nodes' blocks among leaders, and a broadcast
// on each node. The ranks of each node are consecutive. This rank's block is in place.
#pragma once

#include "engine/coll/among.hpp"
#include "engine/coll/choice.hpp"
#include "engine/coll/plans/bcast.hpp"
#include "engine/coll/plans/gather.hpp"

namespace antiphon::coll {

namespace allgatherv {
template <Sink S>
void within(S& sink, const CommView& comm, const BlockList& all, const Choice& choice);
}

namespace allgather {

// All ranks get `whole`. members(node) are the blocks of the node's ranks, piece(node) is all of them as one
// contiguous region; `mine` is this rank's block.
template <Sink S, class Members, class Piece>
void by_leaders(S& sink, const CommView& comm, const Region& mine, const Region& whole, Members members, Piece piece,
                const Choice& choice) {
  const objects::Nodes& nodes = choice.nodes();
  const Hierarchy levels(sink, nodes, 0);
  Among<S> node = levels.node();
  gather::within(node, node.view(), mine, members(nodes.of(comm.rank)), 0, choice.within_node());
  if (levels.leads()) {
    std::vector<Region> pieces;
    for (int each = 0; each < nodes.number(); ++each) pieces.push_back(piece(each));
    Among<S> leaders = levels.leaders();
    allgatherv::within(leaders, leaders.view(), BlockList(std::move(pieces)), choice.between_nodes());
  }
  bcast::within(node, node.view(), whole, 0, choice.within_node());
}

template <Sink S>
void hierarchical(S& sink, const CommView& comm, const Region& all, const Choice& choice) {
  const auto blocks_of = [&](int node) {
    const std::vector<int>& members = choice.nodes().members(node);
    return all.blocks(members.front(), static_cast<int>(members.size()), comm.size);
  };
  by_leaders(sink, comm, all.block(comm.rank, comm.size), all, blocks_of, blocks_of, choice);
}

// For blocks of any lengths anywhere in memory: they are packed, so that those of a node are contiguous.
template <Sink S>
void hierarchical(S& sink, const CommView& comm, const BlockList& all, const Choice& choice) {
  const PackedBlocks packed = packed_like(sink, all);
  const Region& mine = packed.each[comm.rank];
  sink.copy(all[comm.rank], mine);
  const auto members = [&](int node) {
    std::vector<Region> blocks;
    for (const int rank : choice.nodes().members(node)) blocks.push_back(packed.each[rank]);
    return BlockList(std::move(blocks));
  };
  const auto piece = [&](int node) {
    Region blocks{packed.each[choice.nodes().members(node).front()].at, 0};
    for (const int rank : choice.nodes().members(node)) blocks.bytes += packed.each[rank].bytes;
    return blocks;
  };
  by_leaders(sink, comm, mine, packed.whole, members, piece, choice);
  for (int distance = 1; distance < comm.size; ++distance) {
    const int rank = comm.after(distance);
    sink.copy(packed.each[rank], all[rank]);
  }
}

}  // namespace allgather

}  // namespace antiphon::coll
