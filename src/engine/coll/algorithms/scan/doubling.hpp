// Scan in log2 n rounds: each rank combines its intermediate result with that of the rank at a distance before it;
// the distance doubles in each round. Intermediate results come from consecutive ranks up to this one, so rank order
// is kept. At first `result` holds this rank's contribution. Ranks before `first` take no part.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::scan {

template <Sink S>
void doubling(S& sink, const CommView& comm, const Vector& result, int first) {
  if (comm.rank < first) return;
  const bool is_first = comm.rank == first;
  const Vector incoming = is_first ? result : scratch_like(sink, result, result.elements());
  for (int distance = 1; distance < comm.size - first; distance *= 2) {
    const int before = comm.rank - distance, after = comm.rank + distance;
    if (before >= first) sink.receive(incoming.region(), before);
    if (after < comm.size) sink.send(result.region(), after);
    sink.fence();
    if (before >= first) combine(sink, incoming, before, result, comm.rank);
  }
}

}  // namespace antiphon::coll::scan
