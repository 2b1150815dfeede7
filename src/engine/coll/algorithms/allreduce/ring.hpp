// Allreduce of long vectors by operations that commute, each byte sent at most twice per rank: n-1 steps around the
// ring reduce one block on each rank, n-1 more hand the finished blocks around. All get the same bits, as each block
// is reduced in one place. `mine` and `result` may be the same.
#pragma once

#include "engine/coll/algorithms/allgather/ring.hpp"
#include "engine/coll/algorithms/around.hpp"
#include "engine/coll/cut.hpp"

namespace antiphon::coll::allreduce {

template <Sink S>
void ring(S& sink, const CommView& comm, const Vector& mine, const Vector& result) {
  const auto block_of = [&](const Vector& whole, int rank) {
    return CutVector{whole}.part(rank, rank + 1, comm.size);
  };
  const std::size_t longest = result.elements() / static_cast<std::size_t>(comm.size) + 1;
  reduce_around(
      sink, comm, [&](int rank) { return block_of(mine, rank); }, longest, block_of(result, comm.rank));
  allgather::ring(sink, comm, CutVector{result});
}

}  // namespace antiphon::coll::allreduce
