// Reduction around the ring in n-1 steps, by operations that commute: each rank ends with its own block reduced, and
// has sent and received all others once. Block after block leaves with what a rank has of it, goes through all
// others, and comes to its own last.
#pragma once

#include <array>

#include "engine/coll/sink.hpp"

namespace antiphon::coll {

// `blocks(rank)` is this rank's contribution to that rank's block, and stays as it is; none has more than `longest`
// elements. `reduced` is where this rank's goes, which may lie among them.
template <Sink S, class VectorsByRank>
void reduce_around(S& sink, const CommView& comm, const VectorsByRank& blocks, std::size_t longest,
                   const Vector& reduced) {
  if (comm.size == 1) return sink.copy(blocks(comm.rank).region(), reduced.region());
  std::array<Vector, 2> rooms{reduced, reduced};  // one for what comes, one for what goes
  for (Vector& room : rooms) room = scratch_like(sink, reduced, longest);
  Vector leaving = blocks(comm.before(1));
  for (int step = 0; step < comm.size - 1; ++step) {
    const Vector mine = blocks(comm.before(step + 2));
    const Vector arriving = rooms[static_cast<std::size_t>(step % 2)].part(0, mine.elements());
    const Token arrives = sink.receive(arriving.region(), comm.before(1));
    sink.send(leaving.region(), comm.after(1));
    sink.await(arrives);
    combine_into_incoming(sink, arriving, comm.before(1), mine, comm.rank);  // while the other block still leaves
    sink.fence();
    leaving = arriving;
  }
  sink.copy(leaving.region(), reduced.region());
}

}  // namespace antiphon::coll
