// Scan in n-1 steps: each rank combines the result of the rank before it with its own contribution. Only n-1 messages
// in all, so it is good where ranks share cores and each message costs a turn on one. At first `result` holds this
// rank's contribution. Ranks before `first` take no part.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::scan {

template <Sink S>
void linear(S& sink, const CommView& comm, const Vector& result, int first) {
  if (comm.rank < first) return;
  if (comm.rank > first) {
    const Vector incoming = scratch_like(sink, result, result.elements());
    sink.receive(incoming.region(), comm.rank - 1);
    sink.fence();
    combine(sink, incoming, comm.rank - 1, result, comm.rank);
  }
  if (comm.rank + 1 < comm.size) sink.send(result.region(), comm.rank + 1);
  sink.fence();
}

}  // namespace antiphon::coll::scan
