// Reduction of short vectors up a k-nomial tree in log_k n rounds. In rank order if the root is rank 0; otherwise the
// operation must commute.
#pragma once

#include "engine/coll/algorithms/reduce/sum.hpp"
#include "engine/coll/tree.hpp"

namespace antiphon::coll::reduce {

template <Sink S>
void knomial(S& sink, const CommView& comm, const Terms& terms, int root, int radix_bits) {
  const KnomialTree tree(comm, root, radix_bits);
  Sum sum(sink, terms, comm.rank, tree.is_root());
  tree.each_child_up([&](const KnomialTree::Child& child) { sum.add(child.rank); });
  const Vector& ours = sum.value();
  if (!tree.is_root()) sink.send(ours.region(), tree.parent());
  sink.fence();
}

template <Sink S>
void binomial(S& sink, const CommView& comm, const Terms& terms, int root) {
  knomial(sink, comm, terms, root, 1);
}

}  // namespace antiphon::coll::reduce
