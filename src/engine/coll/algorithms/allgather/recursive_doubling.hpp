// Allgather in log2 n exchanges, for a power of two of ranks. In each round two ranks send each other all blocks that
// they have, twice as many as in the round before. Blocks arrive at their places. This rank's block is in place;
// `all` is contiguous.
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
