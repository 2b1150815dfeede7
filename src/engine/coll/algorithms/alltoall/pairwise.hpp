// Alltoall in n-1 steps, in each of which a rank sends to one and receives from one: no more than two messages a rank
// are under way, whatever n is. With a power of two of ranks pairs exchange.
#pragma once

#include <bit>

#include "engine/coll/sink.hpp"

namespace antiphon::coll::alltoall {

template <Sink S, Blocks Out, Blocks In>
void pairwise(S& sink, const CommView& comm, const Out& out, const In& in) {
  const bool in_pairs = std::has_single_bit(static_cast<unsigned>(comm.size));
  sink.copy(out.block(comm.rank, comm.size), in.block(comm.rank, comm.size));
  for (int step = 1; step < comm.size; ++step) {
    const int from = in_pairs ? comm.rank ^ step : comm.before(step);
    const int to = in_pairs ? comm.rank ^ step : comm.after(step);
    sink.receive(in.block(from, comm.size), from);
    sink.send(out.block(to, comm.size), to);
    sink.fence();
  }
}

}  // namespace antiphon::coll::alltoall
