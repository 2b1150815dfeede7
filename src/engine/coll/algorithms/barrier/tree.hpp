// Barrier up a binomial tree and down again: 2(n-1) messages in all, so good where each of them costs a turn on a
// core. A hierarchy has something between the two halves.
#pragma once

#include "engine/coll/tree.hpp"

namespace antiphon::coll::barrier {

// Rank 0 knows then that all have come.
template <Sink S>
void arrive(S& sink, const CommView& comm) {
  const KnomialTree tree(comm);
  tree.each_child_up([&](const KnomialTree::Child& child) { sink.receive(Region{}, child.rank); });
  sink.fence();
  if (!tree.is_root()) sink.send(Region{}, tree.parent());
}

// All know then that rank 0 does.
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
