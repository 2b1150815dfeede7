// MPI_Reduce_scatter and MPI_Reduce_scatter_block: MPI 5.0, 6.10. `all` is this rank's contribution, `share` its part
// of the result, which may lie within it. Between two groups each gets what the other contributes.
#pragma once

#include "engine/coll/algorithms/reduce_scatter/halving.hpp"
#include "engine/coll/algorithms/scatter/linear.hpp"
#include "engine/coll/plans/reduce.hpp"

namespace antiphon::coll {

namespace reduce_scatter {
// From rank 0, which alone has `whole`.
template <Sink S>
void hand_out(S& sink, const CommView& comm, const Vector& whole, const Shares& shares, const Vector& share) {
  const SharedOut blocks{whole, shares};
  if (comm.rank == 0) sink.copy(blocks.block(0, comm.size), share.region());
  scatter::linear(sink, comm, blocks, share.region(), 0);
}
}  // namespace reduce_scatter

template <Sink S>
void plan_reduce_scatter(S& sink, const Vector& all, const Shares& shares, const Vector& share) {
  const View view = sink.view();
  if (!view.is_inter() && all.reduction().commutes()) [[likely]]
    return reduce_scatter::halving(sink, view, all, shares, share);
  const Vector ours = reduce::within(sink, view, all);
  if (!view.is_inter()) return reduce_scatter::hand_out(sink, view, ours, shares, share);
  const bool leads = view.rank == 0;
  const Vector theirs = leads ? scratch_like(sink, all, all.elements()) : all;
  if (leads) {
    sink.receive(theirs.region(), across(0));
    sink.send(ours.region(), across(0));
    sink.fence();
  }
  reduce_scatter::hand_out(sink, view, theirs, shares, share);
}

}  // namespace antiphon::coll
