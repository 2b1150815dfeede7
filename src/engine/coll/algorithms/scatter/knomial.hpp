// Scatter of equal blocks down a k-nomial tree: log_k n rounds, in which a rank receives what all below it are to
// have. For short blocks. `all` matters on the root alone, whose own block is not moved; `mine` everywhere else.
#pragma once

#include "engine/coll/tree.hpp"

namespace antiphon::coll::scatter {

// The blocks of places whose ranks need not follow one another, as the last rank may be among them.
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
