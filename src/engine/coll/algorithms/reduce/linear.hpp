// Reduction in one step: the root receives from one rank after the other, and combines everything itself. In rank
// order if the root is rank 0; otherwise the operation must commute.
#pragma once

#include "engine/coll/algorithms/reduce/sum.hpp"

namespace antiphon::coll::reduce {

template <Sink S>
void linear(S& sink, const CommView& comm, const Terms& terms, int root) {
  if (comm.rank != root) {
    sink.send(terms.mine.region(), root);
    return sink.fence();
  }
  Sum sum(sink, terms, comm.rank, true);
  for (int distance = 1; distance < comm.size; ++distance) sum.add(comm.after(distance));
  (void)sum.value();
}

}  // namespace antiphon::coll::reduce
