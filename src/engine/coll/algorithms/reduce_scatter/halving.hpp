// Reduce-scatter of short vectors in log2 n exchanges, for operations that commute. A rank that stays out of the core
// gets its share from its partner. `all` is not changed, unless the share lies within it.
#pragma once

#include "engine/coll/algorithms/halving.hpp"
#include "engine/coll/shares.hpp"

namespace antiphon::coll::reduce_scatter {

template <Sink S>
void halving(S& sink, const CommView& comm, const Vector& all, const Shares& shares, const Vector& share) {
  const Core core(comm);
  if (core.stays_out()) return core.leave_to_pair(sink, all.region(), share.region());
  const Vector ours = scratch_like(sink, all, all.elements()), incoming = scratch_like(sink, all, all.elements());
  sink.copy(all.region(), ours.region());
  core.take_in_pair(sink, ours, incoming);
  const auto slices = [&](int from, int to) { return shares.of(ours, core.rank_at(from), core.rank_at(to)); };
  (void)halve(sink, core, MeetFirst::farthest, slices, incoming);
  sink.copy(shares.of(ours, comm.rank, comm.rank + 1).region(), share.region());
  if (core.paired()) core.hand_to_pair(sink, shares.of(ours, comm.rank + 1, comm.rank + 2).region());
}

}  // namespace antiphon::coll::reduce_scatter
