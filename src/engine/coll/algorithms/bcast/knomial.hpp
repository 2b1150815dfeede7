// Broadcast down a k-nomial tree in log_k n rounds, for short messages: each rank receives once. With a larger k
// there are fewer rounds, but a rank sends more messages before its last child gets one.
#pragma once

#include "engine/coll/tree.hpp"

namespace antiphon::coll::bcast {

template <Sink S>
void knomial(S& sink, const CommView& comm, const Region& buffer, int root, int radix_bits) {
  const KnomialTree tree(comm, root, radix_bits);
  if (!tree.is_root()) {
    sink.receive(buffer, tree.parent());
    sink.fence();
  }
  tree.each_child_down([&](const KnomialTree::Child& child) { sink.send(buffer, child.rank); });
  sink.fence();
}

template <Sink S>
void binomial(S& sink, const CommView& comm, const Region& buffer, int root) {
  knomial(sink, comm, buffer, root, 1);
}

}  // namespace antiphon::coll::bcast
