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

}  // namespace antiphon::objects
