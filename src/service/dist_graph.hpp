// Distributed graphs, in which any process may specify any edge (MPI 5.0, 8.5.4): sends each edge to the two
// processes that it connects.
#pragma once

#include <span>
#include <vector>

#include "objects/topology.hpp"
#include "service/toolbox.hpp"

namespace antiphon::service {

struct Edge {
  int source;
  int destination;
  int weight;
};

// Collective over `comm`. The edges of this process, in the order of the ranks that named them.
[[nodiscard]] objects::DistGraph distribute_edges(Toolbox tools, Comm& comm, std::span<const Edge> named,
                                                  bool weighted);

}  // namespace antiphon::service
