// Neighbourhood collectives: MPI 5.0, 8.6. `out` has a block for each destination, and `in` for each source, in the
// order of the neighbourhood.
#pragma once

#include "abi/constants.hpp"
#include "engine/coll/sink.hpp"
#include "objects/topology.hpp"

namespace antiphon::coll {

template <Sink S, Blocks Out, Blocks In>
void plan_neighbor_exchange(S& sink, const objects::Neighborhood& neighbors, const Out& out, const In& in) {
  const auto& [sources, destinations, on_grid] = neighbors;
  const int incoming = static_cast<int>(sources.size()), outgoing = static_cast<int>(destinations.size());
  for (std::size_t nth = 0; nth < sources.size(); ++nth) {
    const std::size_t from = neighbors.arriving(nth);
    if (sources[from] != abi::PROC_NULL) sink.receive(in.block(static_cast<int>(from), incoming), sources[from]);
  }
  for (int to = 0; to < outgoing; ++to)
    if (const int peer = destinations[static_cast<std::size_t>(to)]; peer != abi::PROC_NULL)
      sink.send(out.block(to, outgoing), peer);
  sink.fence();
}

}  // namespace antiphon::coll
