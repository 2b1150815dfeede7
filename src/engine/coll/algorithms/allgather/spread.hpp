// Allgather with every pair at once: one step, and n-1 messages from each. This rank's block is in place.
#pragma once

#include "engine/coll/algorithms/alltoall/spread.hpp"

namespace antiphon::coll::allgather {

template <Sink S, Blocks B>
void spread(S& sink, const CommView& comm, const B& all) {
  alltoall::spread(sink, comm, OneForAll{all.block(comm.rank, comm.size)}, all);
}

}  // namespace antiphon::coll::allgather
