// MPI_Barrier: MPI 5.0, 6.3. Between two groups nobody leaves before everybody of the other has come.
#pragma once

#include "engine/coll/algorithms/barrier/dissemination.hpp"
#include "engine/coll/algorithms/bcast/binomial.hpp"

namespace antiphon::coll {

template <Sink S>
void plan_barrier(S& sink) {
  const View view = sink.view();
  barrier::dissemination(sink, view);
  if (!view.is_inter()) [[likely]]
    return;
  if (view.rank == 0) {
    sink.receive(Region{}, across(0));
    sink.send(Region{}, across(0));
    sink.fence();
  }
  bcast::binomial(sink, view, Region{}, 0);
}

}  // namespace antiphon::coll
