// Reduction around a ring in n-1 steps, for operations that commute: at the end each rank has its own block reduced.
// It has sent and received every other block once. Each block starts at the rank after its own, each rank on the way
// combines its contribution into it, and it arrives at its own rank last.
#pragma once

#include <array>

#include "engine/coll/sink.hpp"

namespace antiphon::coll {

// `blocks(rank)` is this rank's contribution to the block of `rank`, and is not changed; none has more than `longest`
// elements. This rank's reduced block goes to `reduced`, which may lie among the blocks.
template <Sink S, class VectorsByRank>
void reduce_around(S& sink, const CommView& comm, const VectorsByRank& blocks, std::size_t longest,
                   const Vector& reduced) {
  if (comm.size == 1) return sink.copy(blocks(comm.rank).region(), reduced.region());
  std::array<Vector, 2> rooms{reduced, reduced};  // for the arriving block, and for the leaving one
  for (Vector& room : rooms) room = scratch_like(sink, reduced, longest);
  Vector leaving = blocks(comm.before(1));
  for (int step = 0; step < comm.size - 1; ++step) {
    const Vector mine = blocks(comm.before(step + 2));
    const Vector arriving = rooms[static_cast<std::size_t>(step % 2)].part(0, mine.elements());
    const Token arrives = sink.receive(arriving.region(), comm.before(1));
    sink.send(leaving.region(), comm.after(1));
    sink.await(arrives);
    combine_into_incoming(sink, arriving, comm.before(1), mine, comm.rank);  // while the other block is being sent
    sink.fence();
    leaving = arriving;
  }
  sink.copy(leaving.region(), reduced.region());
}

}  // namespace antiphon::coll
