// Alltoall in n-1 steps. In each, a rank sends to one rank and receives from one, so it never has more than two
// messages under way. If the number of ranks is a power of two, these two are the same rank.
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
