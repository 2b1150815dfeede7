// Scatter of short, equal blocks down a k-nomial tree in log_k n rounds: a rank receives the blocks of its whole
// subtree. `all` is used on the root only, whose own block is not moved; `mine` on all other ranks.
#pragma once

#include "engine/coll/tree.hpp"

namespace antiphon::coll::scatter {

// The blocks of a child's subtree as one region. If its ranks go on with rank 0 after the last one, this is a copy.
template <Sink S>
Region in_order(S& sink, const Region& all, const KnomialTree::Child& child, int size) {
  const int before = size - child.rank;
  if (child.span <= before) return all.blocks(child.rank, child.span, size);
  const Region room = scratch_region(sink, all.blocks(0, child.span, size).bytes);
  sink.copy(all.blocks(child.rank, before, size), room.blocks(0, before, child.span));
  sink.copy(all.blocks(0, child.span - before, size), room.blocks(before, child.span - before, child.span));
  return room;
}

template <Sink S>
void knomial(S& sink, const CommView& comm, const Region& all, const Region& mine, int root, int radix_bits) {
  const KnomialTree tree(comm, root, radix_bits);
  if (tree.is_root()) {
    tree.each_child_down(
        [&](const KnomialTree::Child& child) { sink.send(in_order(sink, all, child, comm.size), child.rank); });
    return sink.fence();
  }
  if (tree.is_leaf()) {
    sink.receive(mine, tree.parent());
    return sink.fence();
  }
  const Region ours = scratch_region(sink, mine.bytes * static_cast<std::size_t>(tree.span()));
  sink.receive(ours, tree.parent());
  sink.fence();
  tree.each_child_down([&](const KnomialTree::Child& child) {
    sink.send(ours.blocks(child.place - tree.place(), child.span, tree.span()), child.rank);
  });
  sink.copy(ours.block(0, tree.span()), mine);
  sink.fence();
}

}  // namespace antiphon::coll::scatter
