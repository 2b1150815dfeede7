// MPI_Scatter and MPI_Scatterv: MPI 5.0, 6.6. The root as for a broadcast; `all` has a block for each rank that
// receives, and matters there alone. Without `mine` the root's own block stays where it is.
#pragma once

#include <optional>

#include "abi/constants.hpp"
#include "engine/coll/algorithms/scatter/linear.hpp"

namespace antiphon::coll {

template <Sink S, Blocks B>
void plan_scatter(S& sink, const B& all, const std::optional<Region>& mine, int root) {
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]] {
    if (root == abi::ROOT)
      for (int peer = 0; peer < view.others; ++peer) sink.send(all.block(peer, view.others), across(peer));
    else
      sink.receive(*mine, across(root));
    return sink.fence();
  }
  if (view.rank == root && mine) sink.copy(all.block(root, view.size), *mine);
  scatter::linear(sink, view, all, mine.value_or(Region{}), root);
}

}  // namespace antiphon::coll
