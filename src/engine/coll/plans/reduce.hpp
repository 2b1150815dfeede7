// MPI_Reduce: MPI 5.0, 6.9.1. The root as for a broadcast; `result` matters there alone. Without `mine` the root's
// contribution is in `result`.
#pragma once

#include "abi/constants.hpp"
#include "engine/coll/algorithms/reduce/binomial.hpp"

namespace antiphon::coll {

namespace reduce {
// This rank's vector, to be combined with others' until it is passed on: never the user's own, unless nothing is
// combined with it.
template <Sink S>
Vector partial(S& sink, const CommView& tree, const Vector& mine) {
  const bool only_sends = tree.rank % 2 != 0;
  if (only_sends) return mine;
  const Vector copy = scratch_like(sink, mine, mine.elements());
  sink.copy(mine.region(), copy.region());
  return copy;
}

// To rank 0 of this group. Only there what it returns is the result.
template <Sink S>
Vector within(S& sink, const CommView& comm, const Vector& mine) {
  const Vector ours = partial(sink, comm, mine);
  binomial(sink, comm, ours, 0);
  return ours;
}
}  // namespace reduce

template <Sink S>
void plan_reduce(S& sink, const std::optional<Vector>& mine, const Vector& result, int root) {
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]] {
    if (root == abi::ROOT) {
      sink.receive(result.region(), across(0));
      return sink.fence();
    }
    const Vector ours = reduce::within(sink, view, *mine);
    if (view.rank == 0) sink.send(ours.region(), across(root));
    return sink.fence();
  }
  const bool is_root = view.rank == root;
  const bool in_order = root != 0 && !result.reduction().commutes();
  const int top = in_order ? 0 : root;
  if (is_root && mine) sink.copy(mine->region(), result.region());
  const Vector ours = is_root ? result : reduce::partial(sink, view.rooted_at(top), *mine);
  reduce::binomial(sink, view, ours, top);
  if (!in_order) [[likely]]
    return;
  if (view.rank == top) sink.send(ours.region(), root);
  if (is_root) sink.receive(result.region(), top);
  sink.fence();
}

}  // namespace antiphon::coll
