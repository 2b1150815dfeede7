#include "objects/topology.hpp"

#include "abi/constants.hpp"

namespace antiphon::objects {

int Cart::size() const {
  int product = 1;
  for (const int extent : dims) product *= extent;
  return product;
}

std::vector<int> Cart::coords_of(int rank) const {
  std::vector<int> coords(dims.size());
  for (std::size_t i = dims.size(); i-- > 0;) {
    coords[i] = rank % dims[i];
    rank /= dims[i];
  }
  return coords;
}

int Cart::rank_of(const std::vector<int>& coords) const {
  int rank = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) rank = rank * dims[i] + coords[i];
  return rank;
}

int Cart::neighbor(int rank, int dimension, long distance) const {
  const auto along = static_cast<std::size_t>(dimension);
  std::vector<int> coords = coords_of(rank);
  const long extent = dims[along];
  long moved = coords[along] + distance;
  if (periodic[along])
    moved = (moved % extent + extent) % extent;
  else if (moved < 0 || moved >= extent)
    return abi::PROC_NULL;
  coords[along] = static_cast<int>(moved);
  return rank_of(coords);
}

namespace {

Neighborhood neighborhood(const Cart& grid, int rank) {
  std::vector<int> neighbors;
  for (int dimension = 0; dimension < static_cast<int>(grid.dims.size()); ++dimension)
    for (const long distance : {-1, 1}) neighbors.push_back(grid.neighbor(rank, dimension, distance));
  return {.sources = neighbors, .destinations = neighbors, .on_grid = true};
}

Neighborhood neighborhood(const Graph& graph, int rank) {
  const std::vector<int> neighbors(graph.edges.begin() + graph.neighbors_begin(rank),
                                   graph.edges.begin() + graph.neighbors_end(rank));
  return {.sources = neighbors, .destinations = neighbors};
}

Neighborhood neighborhood(const DistGraph& graph, int) {
  return {.sources = graph.sources, .destinations = graph.destinations};
}

}  // namespace

const Neighborhood& Topology::around(int rank) const {
  if (!around_) around_ = std::visit([rank](const auto& shape) { return neighborhood(shape, rank); }, shape_);
  return *around_;
}

}  // namespace antiphon::objects
