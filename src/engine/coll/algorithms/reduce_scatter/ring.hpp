// Reduce-scatter of long vectors around a ring in n-1 steps, without a copy of the vector, for operations that
// commute. `all` is not changed, unless the share lies within it.
#pragma once

#include "engine/coll/algorithms/around.hpp"
#include "engine/coll/shares.hpp"

namespace antiphon::coll::reduce_scatter {

template <Sink S>
void ring(S& sink, const CommView& comm, const Vector& all, const Shares& shares, const Vector& share) {
  std::size_t longest = 0;
  for (int rank = 0; rank < comm.size; ++rank)
    longest = std::max(longest, shares.start(rank + 1) - shares.start(rank));
  reduce_around(
      sink, comm, [&](int rank) { return shares.of(all, rank, rank + 1); }, longest, share);
}

}  // namespace antiphon::coll::reduce_scatter
