// Allgather around a ring in n-1 steps, in which each byte is received once: for long blocks, or blocks of different
// lengths. This rank's block is in place.
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
