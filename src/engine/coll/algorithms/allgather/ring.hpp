// Allgather around the ring in n-1 steps, each byte received once: long blocks, or those
// whose lengths differ. This rank's block is in place.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::allgather {

template <Sink S, Blocks B>
void ring(S& sink, const CommView& comm, const B& all) {
  for (int step = 0; step < comm.size - 1; ++step) {
    sink.receive(all.block(comm.before(step + 1), comm.size), comm.before(1));
    sink.send(all.block(comm.before(step), comm.size), comm.after(1));
    sink.fence();
  }
}

}  // namespace antiphon::coll::allgather
