// Hierarchical scatter: a leader of each node receives its node's blocks from the root and scatters them. Each level
// is a scatter of its own, with an algorithm chosen for it. `all` is used on the root only, whose own block is not
// moved; `mine` on all other ranks.
#pragma once

#include "engine/coll/among.hpp"
#include "engine/coll/choice.hpp"

namespace antiphon::coll::scatter {

template <Sink S>
void within(S& sink, const CommView& comm, const Region& all, const Region& mine, int root, const Choice& choice);

template <Sink S>
void hierarchical(S& sink, const CommView& comm, const Region& all, const Region& mine, int root,
                  const Choice& choice) {
  const objects::Nodes& nodes = choice.nodes();
  const Hierarchy levels(sink, nodes, root);
  Among<S> node = levels.node();
  if (!levels.leads()) return within(node, node.view(), {}, mine, levels.leader(), choice.within_node());

  // Blocks leave by node. To each node go as many as to the largest one; some of them may be unused.
  const bool is_root = comm.rank == root;
  const int most = nodes.most(), places = most * nodes.number();
  const std::size_t bytes = is_root ? all.block(root, comm.size).bytes : mine.bytes;
  const auto room_for = [&](int blocks) { return scratch_region(sink, bytes * static_cast<std::size_t>(blocks)); };
  const Region by_node = !is_root ? Region{} : nodes.is_grid() ? all : room_for(places);
  const Region ours = is_root ? by_node.block(nodes.of(root), nodes.number()) : room_for(most);
  if (is_root && !nodes.is_grid())
    nodes.each_place(
        [&](int rank, int place) { sink.copy(all.block(rank, comm.size), by_node.block(place, places)); });
  Among<S> leaders = levels.leaders();
  within(leaders, leaders.view(), by_node, ours, leaders.index_of(root), choice.between_nodes());
  within(node, node.view(), ours.blocks(0, node.view().size, most), {}, levels.leader(), choice.within_node());
  if (!is_root) sink.copy(ours.block(levels.leader(), most), mine);
}

}  // namespace antiphon::coll::scatter
