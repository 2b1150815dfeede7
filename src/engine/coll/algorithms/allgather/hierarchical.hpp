// Allgather by a rank of each node: a gather on each, an allgather of what they have, and a broadcast on each. The
// ranks of each node follow one another. This rank's block is in place; `all` is in one piece.
#pragma once

#include "engine/coll/among.hpp"
#include "engine/coll/choice.hpp"
#include "engine/coll/plans/allgatherv.hpp"
#include "engine/coll/plans/bcast.hpp"
#include "engine/coll/plans/gather.hpp"

namespace antiphon::coll::allgather {

template <Sink S>
void hierarchical(S& sink, const CommView& comm, const Region& all, const Choice& choice) {
  const objects::Nodes& nodes = choice.nodes();
  const Hierarchy levels(sink, nodes, 0);
  const auto blocks_of = [&](int node) {
    const std::vector<int>& members = nodes.members(node);
    return all.blocks(members.front(), static_cast<int>(members.size()), comm.size);
  };
  Among<S> node = levels.node();
  gather::within(node, node.view(), all.block(comm.rank, comm.size), blocks_of(nodes.of(comm.rank)), 0,
                 choice.within_node());
  if (levels.leads()) {
    std::vector<Region> of_nodes;
    for (int each = 0; each < nodes.number(); ++each) of_nodes.push_back(blocks_of(each));
    Among<S> leaders = levels.leaders();
    allgatherv::within(leaders, leaders.view(), BlockList(std::move(of_nodes)), choice.between_nodes());
  }
  bcast::within(node, node.view(), all, 0, choice.within_node());
}

}  // namespace antiphon::coll::allgather
