// MPI_Gather and MPI_Gatherv: MPI 5.0, 6.5. The root as for a broadcast; `all` has a block for each rank that sends,
// and matters there alone. Without `mine` the root's own block is in place.
#pragma once

#include <optional>

#include "abi/constants.hpp"
#include "engine/coll/algorithms/gather/linear.hpp"

namespace antiphon::coll {

template <Sink S, Blocks B>
void plan_gather(S& sink, const std::optional<Region>& mine, const B& all, int root) {
  const View view = sink.view();
  if (view.is_inter()) [[unlikely]] {
    if (root == abi::ROOT)
      for (int peer = 0; peer < view.others; ++peer) sink.receive(all.block(peer, view.others), across(peer));
    else
      sink.send(*mine, across(root));
    return sink.fence();
  }
  if (view.rank == root && mine) sink.copy(*mine, all.block(root, view.size));
  gather::linear(sink, view, mine.value_or(Region{}), all, root);
}

}  // namespace antiphon::coll
