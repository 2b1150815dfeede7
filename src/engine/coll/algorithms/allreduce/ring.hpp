// Allreduce of long vectors for operations that commute, in which each rank sends each byte at most twice: in n-1
// steps around a ring each rank reduces one block, and in n-1 more the blocks go around. All ranks get the same bits,
// because each block is reduced on one rank. `mine` and `result` may be the same.
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
