// Recursive halving and its reverse, for algorithms in which each rank of a core reduces one slice of a vector: there
// are as many slices as ranks. In each round, two ranks that work on the same slices keep one half of these each. A
// rank sends the other half, and combines what it receives into its own. `slices(first, last)` is a vector.
#pragma once

#include "engine/coll/core.hpp"

namespace antiphon::coll {

// Which ranks exchange in the first round. neighbours: operands are combined in rank order, but the slices end on
// ranks in a different order. farthest: the slice of a rank has the number of its place, but the operation must
// commute.
enum class MeetFirst : std::uint8_t { neighbours, farthest };

inline int distance_in_round(const Core& core, MeetFirst first, int half) {
  return first == MeetFirst::farthest ? half : core.size() / (2 * half);
}

// Returns the number of the slice that this rank has at the end. `incoming` has room for half of all slices.
template <Sink S, class Slices>
int halve(S& sink, const Core& core, MeetFirst first, const Slices& slices, const Vector& incoming) {
  int low = 0;
  for (int half = core.size() / 2; half > 0; half /= 2) {
    const int distance = distance_in_round(core, first, half);
    const bool keeps_lower = (core.place() & distance) == 0;
    const Vector lower = slices(low, low + half), upper = slices(low + half, low + 2 * half);
    const Vector& keep = keeps_lower ? lower : upper;
    const Vector arriving = incoming.part(0, keep.elements());
    const int peer = core.rank_at(core.place() ^ distance);
    sink.receive(arriving.region(), peer);
    sink.send((keeps_lower ? upper : lower).region(), peer);
    sink.fence();
    combine(sink, arriving, peer, keep, core.rank());
    if (!keeps_lower) low += half;
  }
  return low;
}

// All ranks get all slices, after halve() with MeetFirst::neighbours.
template <Sink S, class Slices>
void unite(S& sink, const Core& core, const Slices& slices, int low) {
  for (int half = 1; half < core.size(); half *= 2) {
    const int peer = core.rank_at(core.place() ^ distance_in_round(core, MeetFirst::neighbours, half));
    const int theirs = low ^ half;
    sink.receive(slices(theirs, theirs + half).region(), peer);
    sink.send(slices(low, low + half).region(), peer);
    sink.fence();
    low &= ~half;
  }
}

// The rank at `place` gets all slices, after the same.
template <Sink S, class Slices>
void unite_at(S& sink, const Core& core, const Slices& slices, int low, int place) {
  for (int half = 1; half < core.size(); half *= 2) {
    const int distance = distance_in_round(core, MeetFirst::neighbours, half);
    const int peer = core.rank_at(core.place() ^ distance);
    const int theirs = low ^ half;
    if (((core.place() ^ place) & distance) != 0) {
      sink.send(slices(low, low + half).region(), peer);
      return sink.fence();
    }
    sink.receive(slices(theirs, theirs + half).region(), peer);
    sink.fence();
    low &= ~half;
  }
}

}  // namespace antiphon::coll
