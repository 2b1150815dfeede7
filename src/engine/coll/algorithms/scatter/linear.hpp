// Scatter straight from the root, which sends to all at once. `all` matters on the root alone, whose own block is not
// moved.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::scatter {

template <Sink S>
void linear(S& sink, const CommView& comm, const std::byte* all, std::byte* mine, std::size_t bytes, int root) {
  if (comm.rank != root) {
    sink.receive(mine, bytes, root);
  } else {
    for (int rank = 0; rank < comm.size; ++rank)
      if (rank != root) sink.send(all + static_cast<std::size_t>(rank) * bytes, bytes, rank);
  }
  sink.fence();
}

}  // namespace antiphon::coll::scatter
