// Allreduce in log2 n exchanges of the whole vector: short messages. Every value is combined from neighbouring ranks,
// in order, as operations need that do not commute; and both sides of an exchange combine the same two values in the
// same order, so all get the same bits. `result` holds this rank's contribution at first.
#pragma once

#include "engine/coll/core.hpp"

namespace antiphon::coll::allreduce {

template <Sink S>
void recursive_doubling(S& sink, const CommView& comm, const Vector& result) {
  const Core core(comm);
  if (core.stays_out()) return core.leave_to_pair(sink, result.region(), result.region());
  if (comm.size == 1) return;
  const Vector incoming = scratch_like(sink, result, result.elements());
  core.take_in_pair(sink, result, incoming);
  for (int distance = 1; distance < core.size(); distance *= 2) {
    const int peer = core.rank_at(core.place() ^ distance);
    sink.receive(incoming.region(), peer);
    sink.send(result.region(), peer);
    sink.fence();
    combine(sink, incoming, peer, result, comm.rank);
  }
  core.hand_to_pair(sink, result.region());
}

}  // namespace antiphon::coll::allreduce
