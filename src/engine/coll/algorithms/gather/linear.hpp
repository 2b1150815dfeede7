// Gather in one step: the root receives from all others at the same time. `mine` is used on all ranks but the root;
// `all` on the root only, where its own block is in place.
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
