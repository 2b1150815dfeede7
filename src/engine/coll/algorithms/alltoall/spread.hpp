// Alltoall with every pair at once, each rank starting at its neighbour so that no rank is everyone's first.
#pragma once

#include "engine/coll/sink.hpp"

namespace antiphon::coll::alltoall {

template <Sink S>
void spread(S& sink, const CommView& comm, const std::byte* out, std::byte* in, std::size_t bytes) {
  const auto offset = [&](int rank) { return static_cast<std::size_t>(rank) * bytes; };
  for (int distance = 1; distance < comm.size; ++distance)
    sink.receive(in + offset(comm.before(distance)), bytes, comm.before(distance));
  for (int distance = 1; distance < comm.size; ++distance)
    sink.send(out + offset(comm.after(distance)), bytes, comm.after(distance));
  sink.copy(out + offset(comm.rank), in + offset(comm.rank), bytes);
  sink.fence();
}

}  // namespace antiphon::coll::alltoall
