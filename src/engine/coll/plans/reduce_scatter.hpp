// MPI_Reduce_scatter and MPI_Reduce_scatter_block: MPI 5.0, 6.10. `all` is this rank's contribution. `share` is for
// its part of the result, and may lie within `all`. On an intercommunicator each group gets the result of the other
// group's contributions.
#pragma once

#include "engine/coll/algorithms/reduce_scatter/halving.hpp"
#include "engine/coll/algorithms/reduce_scatter/ring.hpp"
#include "engine/coll/algorithms/scatter/linear.hpp"
#include "engine/coll/choice.hpp"
#include "engine/coll/plans/reduce.hpp"

namespace antiphon::coll {

namespace reduce_scatter {
// Rank 0, which alone has `whole`, scatters it.
template <Sink S>
void hand_out(S& sink, const CommView& comm, const Vector& whole, const Shares& shares, const Vector& share) {
  const SharedOut blocks{whole, shares};
  if (comm.rank == 0) sink.copy(blocks.block(0, comm.size), share.region());
  scatter::linear(sink, comm, blocks, share.region(), 0);
}

template <Sink S>
void between(S& sink, const View& view, const Vector& all, const Shares& shares, const Vector& share,
             const Choice& choice) {
  const Vector ours = reduce::to_first(sink, view, all, choice);
  const bool leads = view.rank == 0;
  const Vector theirs = leads ? scratch_like(sink, all, all.elements()) : all;
  if (leads) {
    sink.receive(theirs.region(), across(0));
    sink.send(ours.region(), across(0));
    sink.fence();
  }
  hand_out(sink, view, theirs, shares, share);
}
}  // namespace reduce_scatter

template <Sink S>
void plan_reduce_scatter(S& sink, const Vector& all, const Shares& shares, const Vector& share,
                         const Choice& choice = {}) {
  using Algorithm = settings::ReduceScatterAlgorithm;
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]]
    return reduce_scatter::between(sink, view, all, shares, share, choice.of_any_length());
  switch (choice.among(&settings::Values::reduce_scatter_algorithm, {.operation = Operation::reduce_scatter,
                                                                     .ranks = view.size,
                                                                     .bytes = all.region().bytes,
                                                                     .commutes = all.reduction().commutes()})) {
    case Algorithm::halving:
      return reduce_scatter::halving(sink, view, all, shares, share);
    case Algorithm::ring:
      return reduce_scatter::ring(sink, view, all, shares, share);
    case Algorithm::reduce_scatter:
    case Algorithm::automatic:
      return reduce_scatter::hand_out(sink, view, reduce::to_first(sink, view, all, choice), shares, share);
  }
}

}  // namespace antiphon::coll
