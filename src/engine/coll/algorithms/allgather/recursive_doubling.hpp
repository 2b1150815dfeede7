// Allgather among a power of two of ranks in log2 n exchanges: two ranks give each other all that they have, which is
// twice as much in each round. Blocks need not be moved afterwards. This rank's block is in place; `all` is in one
// piece.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::allgather {

template <Sink S>
void recursive_doubling(S& sink, const CommView& comm, const Region& all) {
  for (int have = 1; have < comm.size; have *= 2) {
    const int mine = comm.rank & ~(have - 1), peer = comm.rank ^ have;
    sink.receive(all.blocks(mine ^ have, have, comm.size), peer);
    sink.send(all.blocks(mine, have, comm.size), peer);
    sink.fence();
  }
}

}  // namespace antiphon::coll::allgather
