// Allreduce of long vectors, each byte sent at most twice per rank: the vector is cut into n blocks; n-1 steps around
// the ring reduce one block on each rank, n-1 more hand the finished blocks around. `result` holds this rank's
// contribution at first; blocks are cut between elements.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::allreduce {

template <Sink S>
void ring(S& sink, const CommView& comm, std::byte* result, std::size_t elements, std::size_t element_bytes) {
  const auto n = static_cast<std::size_t>(comm.size);
  const auto start = [&](int block) { return elements * static_cast<std::size_t>(block) / n * element_bytes; };
  const auto length = [&](int block) { return start(block + 1) - start(block); };
  std::byte* incoming = sink.scratch((elements / n + 1) * element_bytes);
  for (int step = 0; step < comm.size - 1; ++step) {
    const int give = comm.before(step), take = comm.before(step + 1);
    sink.receive(incoming, length(take), comm.before(1));
    sink.send(result + start(give), length(give), comm.after(1));
    sink.fence();
    sink.reduce(incoming, result + start(take), length(take));
  }
  for (int step = 0; step < comm.size - 1; ++step) {
    const int give = comm.before(step + comm.size - 1), take = comm.before(step);
    sink.receive(result + start(take), length(take), comm.before(1));
    sink.send(result + start(give), length(give), comm.after(1));
    sink.fence();
  }
}

}  // namespace antiphon::coll::allreduce
