// Scatter in one step: the root sends to all others at the same time. `all` is used on the root only, whose own block
// is not moved; `mine` on all other ranks.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::scatter {

template <Sink S, Blocks B>
void linear(S& sink, const CommView& comm, const B& all, const Region& mine, int root) {
  if (comm.rank != root) {
    sink.receive(mine, root);
  } else {
    for (int rank = 0; rank < comm.size; ++rank)
      if (rank != root) sink.send(all.block(rank, comm.size), rank);
  }
  sink.fence();
}

}  // namespace antiphon::coll::scatter
