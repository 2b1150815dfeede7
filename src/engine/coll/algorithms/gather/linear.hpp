// Gather straight to the root, which receives from all at once. `mine` matters everywhere else, `all` on the root
// alone, where this rank's own block is in place already.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::gather {

template <Sink S, Blocks B>
void linear(S& sink, const CommView& comm, const Region& mine, const B& all, int root) {
  if (comm.rank != root) {
    sink.send(mine, root);
  } else {
    for (int rank = 0; rank < comm.size; ++rank)
      if (rank != root) sink.receive(all.block(rank, comm.size), rank);
  }
  sink.fence();
}

}  // namespace antiphon::coll::gather
