// Hierarchical gather: a leader of each node collects its node's blocks and sends them to the root. Each level is a
// gather of its own, with an algorithm chosen for it. `mine` is used on all ranks but the root; `all` on the root
// only, where its own block is in place.
#pragma once

#include "engine/coll/among.hpp"
#include "engine/coll/choice.hpp"

namespace antiphon::coll::gather {

template <Sink S>
void within(S& sink, const CommView& comm, const Region& mine, const Region& all, int root, const Choice& choice);

template <Sink S>
void hierarchical(S& sink, const CommView& comm, const Region& mine, const Region& all, int root,
                  const Choice& choice) {
  const objects::Nodes& nodes = choice.nodes();
  const Hierarchy levels(sink, nodes, root);
  Among<S> node = levels.node();
  if (!levels.leads()) return within(node, node.view(), mine, {}, levels.leader(), choice.within_node());

  // Blocks arrive by node. From each node come as many as from the largest one; some of them may be unused.
  const bool is_root = comm.rank == root;
  const int most = nodes.most(), places = most * nodes.number();
  const Region own = is_root ? all.block(root, comm.size) : mine;
  const auto room_for = [&](int blocks) {
    return scratch_region(sink, own.bytes * static_cast<std::size_t>(blocks));
  };
  const Region by_node = !is_root ? Region{} : nodes.is_grid() ? all : room_for(places);
  const Region ours = is_root ? by_node.block(nodes.of(root), nodes.number()) : room_for(most);
  restage(sink, own, ours.block(levels.leader(), most));
  within(node, node.view(), {}, ours.blocks(0, node.view().size, most), levels.leader(), choice.within_node());
  Among<S> leaders = levels.leaders();
  within(leaders, leaders.view(), ours, by_node, leaders.index_of(root), choice.between_nodes());
  if (is_root && !nodes.is_grid())
    nodes.each_place(
        [&](int rank, int place) { sink.copy(by_node.block(place, places), all.block(rank, comm.size)); });
}

}  // namespace antiphon::coll::gather
