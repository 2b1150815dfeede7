// Gather of short, equal blocks up a k-nomial tree in log_k n rounds: a rank sends the blocks of its whole subtree.
// `mine` is used on all ranks but the root; `all` on the root only, where its own block is in place.
#pragma once

#include <utility>
#include <vector>

#include "engine/coll/tree.hpp"

namespace antiphon::coll::gather {

// Blocks of subtrees whose ranks go on with rank 0 after the last one. The root receives them in scratch memory, and
// then copies them to the end and the beginning of `all`.
template <Sink S>
class Wrapped {
 public:
  Wrapped(S& sink, const Region& all, int size) : sink_(sink), all_(all), size_(size) {}
  void receive(const KnomialTree::Child& child) {
    const Region room = scratch_region(sink_, all_.blocks(0, child.span, size_).bytes);
    sink_.receive(room, child.rank);
    rooms_.emplace_back(room, child);
  }
  void put_in_place() const {
    for (const auto& [room, child] : rooms_) {
      const int before = size_ - child.rank;
      sink_.copy(room.blocks(0, before, child.span), all_.blocks(child.rank, before, size_));
      sink_.copy(room.blocks(before, child.span - before, child.span), all_.blocks(0, child.span - before, size_));
    }
  }

 private:
  S& sink_;
  const Region& all_;
  int size_;
  std::vector<std::pair<Region, KnomialTree::Child>> rooms_;
};

template <Sink S>
void knomial(S& sink, const CommView& comm, const Region& mine, const Region& all, int root, int radix_bits) {
  const KnomialTree tree(comm, root, radix_bits);
  if (tree.is_root()) {
    Wrapped wrapped(sink, all, comm.size);
    tree.each_child_up([&](const KnomialTree::Child& child) {
      if (child.rank + child.span <= comm.size)
        sink.receive(all.blocks(child.rank, child.span, comm.size), child.rank);
      else
        wrapped.receive(child);
    });
    sink.fence();
    return wrapped.put_in_place();
  }
  Region ours = mine;
  if (!tree.is_leaf()) {
    ours = scratch_region(sink, mine.bytes * static_cast<std::size_t>(tree.span()));
    sink.copy(mine, ours.block(0, tree.span()));
    tree.each_child_up([&](const KnomialTree::Child& child) {
      sink.receive(ours.blocks(child.place - tree.place(), child.span, tree.span()), child.rank);
    });
    sink.fence();
  }
  sink.send(ours, tree.parent());
  sink.fence();
}

}  // namespace antiphon::coll::gather
