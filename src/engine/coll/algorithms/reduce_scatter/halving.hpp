// Reduce-scatter by operations that commute in log2 n exchanges: two ranks halve what is still to be reduced between
// them, each keeps one half and combines it with what the other has of that. Where n is no power of two, the first
// ranks meet in pairs before, of which the even ones go on alone, for both shares. `all` is left as it is, unless the
// share lies within it.
#pragma once

#include <bit>

#include "engine/coll/shares.hpp"
#include "engine/coll/sink.hpp"

namespace antiphon::coll::reduce_scatter {

template <Sink S>
void halving(S& sink, const CommView& comm, const Vector& all, const Shares& shares, const Vector& share) {
  const int core = static_cast<int>(std::bit_floor(static_cast<unsigned>(comm.size)));
  const int pairs = comm.size - core;
  const bool paired = comm.rank < 2 * pairs;
  if (paired && comm.rank % 2 != 0) {
    sink.send(all.region(), comm.rank - 1);
    sink.fence();
    sink.receive(share.region(), comm.rank - 1);
    return sink.fence();
  }
  const Vector ours = scratch_like(sink, all, all.elements()), incoming = scratch_like(sink, all, all.elements());
  sink.copy(all.region(), ours.region());
  if (paired) {
    sink.receive(incoming.region(), comm.rank + 1);
    sink.fence();
    combine(sink, incoming, comm.rank + 1, ours, comm.rank);
  }
  const auto rank_at = [&](int place) { return place < pairs ? 2 * place : place + pairs; };
  const auto part = [&](int from, int to) { return shares.of(ours, rank_at(from), rank_at(to)); };
  const int place = paired ? comm.rank / 2 : comm.rank - pairs;
  for (int low = 0, half = core / 2; half > 0; half /= 2) {
    const int middle = low + half;
    const bool keeps_lower = place < middle;
    const Vector lower = part(low, middle), upper = part(middle, middle + half);
    const Vector& keep = keeps_lower ? lower : upper;
    const Vector arriving = incoming.part(0, keep.elements());
    const int peer = rank_at(keeps_lower ? place + half : place - half);
    sink.receive(arriving.region(), peer);
    sink.send((keeps_lower ? upper : lower).region(), peer);
    sink.fence();
    combine(sink, arriving, peer, keep, comm.rank);
    if (!keeps_lower) low = middle;
  }
  sink.copy(shares.of(ours, comm.rank, comm.rank + 1).region(), share.region());
  if (paired) {
    sink.send(shares.of(ours, comm.rank + 1, comm.rank + 2).region(), comm.rank + 1);
    sink.fence();
  }
}

}  // namespace antiphon::coll::reduce_scatter
