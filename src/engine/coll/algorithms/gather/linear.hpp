// Gather straight to the root, which receives from all at once. `all` matters on the root alone, where this rank's
// own block is in place already.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::gather {

template <Sink S>
void linear(S& sink, const CommView& comm, const std::byte* mine, std::size_t bytes, std::byte* all, int root) {
  if (comm.rank != root) {
    sink.send(mine, bytes, root);
  } else {
    for (int rank = 0; rank < comm.size; ++rank)
      if (rank != root) sink.receive(all + static_cast<std::size_t>(rank) * bytes, bytes, rank);
  }
  sink.fence();
}

}  // namespace antiphon::coll::gather
