// Allgather in one step: each rank sends its block to all others at the same time. This rank's block is in place.
#pragma once

#include "engine/coll/algorithms/alltoall/spread.hpp"

namespace antiphon::coll::allgather {

template <Sink S, Blocks B>
void spread(S& sink, const CommView& comm, const B& all) {
  alltoall::spread(sink, comm, OneForAll{all.block(comm.rank, comm.size)}, all);
}

}  // namespace antiphon::coll::allgather
