// Allgather around the ring in n-1 steps, each byte received once: long blocks. This rank's block is in place.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::allgather {

template <Sink S>
void ring(S& sink, const CommView& comm, std::byte* all, std::size_t bytes) {
  const auto block = [&](int rank) { return all + static_cast<std::size_t>(rank) * bytes; };
  for (int step = 0; step < comm.size - 1; ++step) {
    sink.receive(block(comm.before(step + 1)), bytes, comm.before(1));
    sink.send(block(comm.before(step)), bytes, comm.after(1));
    sink.fence();
  }
}

}  // namespace antiphon::coll::allgather
