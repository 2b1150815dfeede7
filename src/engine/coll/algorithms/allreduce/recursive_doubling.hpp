// Allreduce in log2 n exchanges of the whole vector: for short vectors. Each intermediate result comes from
// consecutive ranks, combined in rank order, so the operation need not commute. Both sides of an exchange combine the
// same two operands in the same order, so all ranks get the same bits. At first `result` holds this rank's
// contribution.
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
