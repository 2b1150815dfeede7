// Allreduce of long vectors by operations that commute, each byte sent at most twice per rank: the vector is cut into
// n blocks; n-1 steps around the ring reduce one block on each rank, n-1 more hand the finished blocks around.
// `result` holds this rank's contribution at first; blocks are cut between elements.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::allreduce {

template <Sink S>
void ring(S& sink, const CommView& comm, const Vector& result) {
  const auto n = static_cast<std::size_t>(comm.size);
  const auto start = [&](int block) { return result.elements() * static_cast<std::size_t>(block) / n; };
  const auto block = [&](int index) { return result.part(start(index), start(index + 1)); };
  const Vector incoming = scratch_like(sink, result, result.elements() / n + 1);
  for (int step = 0; step < comm.size - 1; ++step) {
    const Vector give = block(comm.before(step)), take = block(comm.before(step + 1));
    const Vector arriving = incoming.part(0, take.elements());
    const Token arrives = sink.receive(arriving.region(), comm.before(1));
    sink.send(give.region(), comm.after(1));
    sink.await(arrives);
    combine(sink, arriving, comm.before(1), take, comm.rank);  // while the other block still leaves
    sink.fence();
  }
  for (int step = 0; step < comm.size - 1; ++step) {
    sink.receive(block(comm.before(step)).region(), comm.before(1));
    sink.send(block(comm.before(step + comm.size - 1)).region(), comm.after(1));
    sink.fence();
  }
}

}  // namespace antiphon::coll::allreduce
