// Allreduce in log2 n exchanges of the whole vector: short messages. Where n is no power of two, the first ranks meet
// in pairs before, of which the even ones go on alone and give the others the result at last. So every value is
// combined from neighbouring ranks, in order, as operations need that do not commute; and both sides of an exchange
// combine the same two values in the same order, so all get the same bits. `result` holds this rank's contribution at
// first.
#pragma once

#include "engine/coll/core.hpp"

namespace antiphon::coll::allreduce {

template <Sink S>
void recursive_doubling(S& sink, const CommView& comm, const Vector& result) {
  const Core core(comm);
  if (core.stays_out()) {
    sink.send(result.region(), comm.rank - 1);
    sink.fence();
    sink.receive(result.region(), comm.rank - 1);
    return sink.fence();
  }
  if (comm.size == 1) return;
  const Vector incoming = scratch_like(sink, result, result.elements());
  if (core.paired()) {
    sink.receive(incoming.region(), comm.rank + 1);
    sink.fence();
    combine(sink, incoming, comm.rank + 1, result, comm.rank);
  }
  for (int distance = 1; distance < core.size(); distance *= 2) {
    const int peer = core.rank_at(core.place() ^ distance);
    sink.receive(incoming.region(), peer);
    sink.send(result.region(), peer);
    sink.fence();
    combine(sink, incoming, peer, result, comm.rank);
  }
  if (core.paired()) {
    sink.send(result.region(), comm.rank + 1);
    sink.fence();
  }
}

}  // namespace antiphon::coll::allreduce
