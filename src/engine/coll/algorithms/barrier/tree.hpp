// Barrier up a binomial tree and down again: only 2(n-1) messages in all, so it is good where ranks share cores and
// each message costs a turn on one. The hierarchical barrier does something between the two halves.
#pragma once

#include "engine/coll/tree.hpp"

namespace antiphon::coll::barrier {

// When this is over on rank 0, all ranks have entered.
template <Sink S>
void arrive(S& sink, const CommView& comm) {
  const KnomialTree tree(comm);
  tree.each_child_up([&](const KnomialTree::Child& child) { sink.receive(Region{}, child.rank); });
  sink.fence();
  if (!tree.is_root()) sink.send(Region{}, tree.parent());
}

// All ranks wait until rank 0 has called this.
template <Sink S>
void release(S& sink, const CommView& comm) {
  const KnomialTree tree(comm);
  if (!tree.is_root()) sink.receive(Region{}, tree.parent());
  sink.fence();
  tree.each_child_down([&](const KnomialTree::Child& child) { sink.send(Region{}, child.rank); });
  sink.fence();
}

template <Sink S>
void tree(S& sink, const CommView& comm) {
  arrive(sink, comm);
  release(sink, comm);
}

}  // namespace antiphon::coll::barrier
