// Reduce-scatter by operations that commute in log2 n exchanges: two ranks halve what is still to be reduced between
// them, each keeps one half and combines it with what the other has of that. Where n is no power of two, the first
// ranks meet in pairs before, of which the even ones go on alone, for both shares. `all` is left as it is, unless the
// share lies within it.
#pragma once

#include "engine/coll/core.hpp"
#include "engine/coll/shares.hpp"

namespace antiphon::coll::reduce_scatter {

template <Sink S>
void halving(S& sink, const CommView& comm, const Vector& all, const Shares& shares, const Vector& share) {
  const Core core(comm);
  if (core.stays_out()) {
    sink.send(all.region(), comm.rank - 1);
    sink.fence();
    sink.receive(share.region(), comm.rank - 1);
    return sink.fence();
  }
  const Vector ours = scratch_like(sink, all, all.elements()), incoming = scratch_like(sink, all, all.elements());
  sink.copy(all.region(), ours.region());
  if (core.paired()) {
    sink.receive(incoming.region(), comm.rank + 1);
    sink.fence();
    combine(sink, incoming, comm.rank + 1, ours, comm.rank);
  }
  const auto part = [&](int from, int to) { return shares.of(ours, core.rank_at(from), core.rank_at(to)); };
  const int place = core.place();
  for (int low = 0, half = core.size() / 2; half > 0; half /= 2) {
    const int middle = low + half;
    const bool keeps_lower = place < middle;
    const Vector lower = part(low, middle), upper = part(middle, middle + half);
    const Vector& keep = keeps_lower ? lower : upper;
    const Vector arriving = incoming.part(0, keep.elements());
    const int peer = core.rank_at(keeps_lower ? place + half : place - half);
    sink.receive(arriving.region(), peer);
    sink.send((keeps_lower ? upper : lower).region(), peer);
    sink.fence();
    combine(sink, arriving, peer, keep, comm.rank);
    if (!keeps_lower) low = middle;
  }
  sink.copy(shares.of(ours, comm.rank, comm.rank + 1).region(), share.region());
  if (core.paired()) {
    sink.send(shares.of(ours, comm.rank + 1, comm.rank + 2).region(), comm.rank + 1);
    sink.fence();
  }
}

}  // namespace antiphon::coll::reduce_scatter
