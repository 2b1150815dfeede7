// Communicators whose ranks have neighbours: those of a grid, or of any directed graph. All ranks of the old
// communicator take part in making one. What its ranks exchange with their neighbours alone is in neighborhood.hpp.
//
//   auto grid = antiphon::cart_create<2>(world, {.periods = {true, false}});   // as square as the ranks allow
//   auto [row, column] = grid.coordinates();
//   grid.sendrecv(bottom, above, grid.shift(0));                               // to the next row, from the one
//   before auto my_row = grid.sub<1>();                                               // a grid of one dimension, the
//   columns
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "communicator.hpp"
#include "error.hpp"
#include "neighborhood.hpp"
#include "options.hpp"
#include "owned.hpp"

namespace antiphon {

// How many ranks lie along each dimension: those that are 0 are chosen, all as alike as can be (MPI 5.0, 8.5.2).
template <std::size_t n>
[[nodiscard]] std::array<int, n> dims_create(int ranks, std::array<int, n> dims = {}) {
  detail::check(MPI_Dims_create(ranks, static_cast<int>(n), dims.data()));
  return dims;
}

template <std::size_t n>
struct cart_options {
  std::array<int, n> dims = {};      // the length of each dimension; those that are 0 are chosen
  std::array<bool, n> periods = {};  // whether a dimension's last rank has its first as neighbour
  bool reorder = false;              // whether MPI may number the ranks as suits the machine
};

// The ranks at both sides; null_process where the grid ends. Says to sendrecv what goes where: grid.shift(0).
struct shifted {
  int from, to;
  operator exchange() const noexcept { return {.to = to, .from = from}; }
};

// A grid of n dimensions.
template <std::size_t n>
class cartesian : public neighborhood {
 public:
  using coordinate_type = std::array<int, n>;
  using neighborhood::neighborhood;

  // Where a rank is; this one if none is said.
  [[nodiscard]] coordinate_type coordinates() const { return coordinates(this->rank()); }
  [[nodiscard]] coordinate_type coordinates(int rank) const {
    coordinate_type result;
    detail::check(MPI_Cart_coords(*this, rank, static_cast<int>(n), result.data()));
    return result;
  }
  // Who is there. Along periodic dimensions, coordinates outside of the grid count on from the other end.
  using neighborhood::rank;
  [[nodiscard]] int rank(const coordinate_type& coordinates) const {
    int result;
    detail::check(MPI_Cart_rank(*this, coordinates.data(), &result));
    return result;
  }

  [[nodiscard]] coordinate_type dims() const { return topology().dims; }
  [[nodiscard]] std::array<bool, n> periods() const {
    const described grid = topology();
    std::array<bool, n> result;
    for (std::size_t i = 0; i < n; ++i) result[i] = grid.periods[i] != 0;
    return result;
  }

  // The ranks that lie so many steps before this one, and after it, along a dimension.
  [[nodiscard]] shifted shift(std::size_t dimension, int steps = 1) const {
    shifted result;
    detail::check(MPI_Cart_shift(*this, static_cast<int>(dimension), steps, &result.from, &result.to));
    return result;
  }

  // The grid of those ranks that differ from this one in these dimensions alone. Collective.
  template <std::size_t... kept>
  [[nodiscard]] owned<cartesian<sizeof...(kept)>> sub() const {
    constexpr bool valid = [] {
      std::array<bool, n> seen = {};
      std::size_t next = 0;
      return ((kept >= next && kept < n && (next = kept + 1, seen[kept] = true)) && ...);
    }();
    static_assert(valid && sizeof...(kept) > 0,
                  "which dimensions does the smaller grid keep? name them in rising order, from 0: grid.sub<0, 2>()");
    std::array<int, n> remain = {};
    if constexpr (valid) ((remain[kept] = 1), ...);
    MPI_Comm result = MPI_COMM_NULL;
    detail::check(MPI_Cart_sub(*this, remain.data(), &result));
    return owned(cartesian<sizeof...(kept)>(result));
  }

 private:
  struct described {
    std::array<int, n> dims, periods, coordinates;
  };
  described topology() const {
    described result;
    detail::check(MPI_Cart_get(*this, static_cast<int>(n), result.dims.data(), result.periods.data(),
                               result.coordinates.data()));
    return result;
  }
};

// A grid of the ranks of a communicator; those that it has no place for get none. Collective.
template <std::size_t n>
[[nodiscard]] owned<cartesian<n>> cart_create(const communicator& comm, const cart_options<n>& with = {}) {
  static_assert(n > 0, "how many dimensions has the grid? antiphon::cart_create<2>(comm)");
  std::array<int, n> dims = with.dims, periods;
  for (std::size_t i = 0; i < n; ++i) periods[i] = with.periods[i];
  if (std::ranges::count(dims, 0) > 0) dims = dims_create<n>(comm.size(), dims);
  MPI_Comm result = MPI_COMM_NULL;
  detail::check(MPI_Cart_create(comm, static_cast<int>(n), dims.data(), periods.data(), with.reorder, &result));
  return owned(cartesian<n>(result));
}

// Who is at the other end of an edge, and the edge's weight: how much goes over it, in units of the program's.
struct neighbor {
  int rank;
  int weight;
  constexpr neighbor(int whom, int how_much = 1) noexcept : rank(whom), weight(how_much) {}
  friend bool operator==(const neighbor&, const neighbor&) = default;
};

struct edge {
  int from, to;
  int weight = 1;
};

struct adjacent_options {
  std::vector<neighbor> sources = {};       // who sends to this rank
  std::vector<neighbor> destinations = {};  // whom this rank sends to
  bool reorder = false;                     // whether MPI may number the ranks as suits the machine
};

struct edges_options {
  std::vector<edge> edges = {};  // in any distribution: each is said by one rank, whoever it is
  bool reorder = false;
};

// A directed graph of which each rank knows its own edges.
class graph : public neighborhood {
 public:
  using neighborhood::neighborhood;

  // In the order in which neighbourhood collectives take and give. Of a graph that dist_graph_create made, MPI
  // chooses that order.
  [[nodiscard]] std::vector<neighbor> sources() const { return edges().sources; }
  [[nodiscard]] std::vector<neighbor> destinations() const { return edges().destinations; }

 private:
  adjacent_options edges() const {
    const auto [sources, destinations] = detail::degrees_of(*this);
    std::vector<int> from(static_cast<std::size_t>(sources)), from_weights(from),
        to(static_cast<std::size_t>(destinations)), to_weights(to);
    detail::check(MPI_Dist_graph_neighbors(*this, sources, from.data(), from_weights.data(), destinations, to.data(),
                                           to_weights.data()));
    adjacent_options result;
    for (std::size_t i = 0; i < from.size(); ++i) result.sources.emplace_back(from[i], from_weights[i]);
    for (std::size_t i = 0; i < to.size(); ++i) result.destinations.emplace_back(to[i], to_weights[i]);
    return result;
  }
};

namespace detail {

// Weights as C has them, which must be told from none even where there are no edges.
inline const int* weights_of(const std::vector<int>& weights) {
  return weights.empty() ? MPI_WEIGHTS_EMPTY : weights.data();
}

}  // namespace detail

// Each rank says its own edges, both those that end there and those that begin there. Collective.
[[nodiscard]] inline owned<graph> dist_graph_create_adjacent(const communicator& comm, const adjacent_options& with) {
  std::vector<int> from, from_weights, to, to_weights;
  for (const auto& [rank, weight] : with.sources) from.push_back(rank), from_weights.push_back(weight);
  for (const auto& [rank, weight] : with.destinations) to.push_back(rank), to_weights.push_back(weight);
  MPI_Comm result = MPI_COMM_NULL;
  detail::check(MPI_Dist_graph_create_adjacent(
      comm, static_cast<int>(from.size()), from.data(), detail::weights_of(from_weights), static_cast<int>(to.size()),
      to.data(), detail::weights_of(to_weights), MPI_INFO_NULL, with.reorder, &result));
  return owned(graph(result));
}

// Each edge is said by one rank, whoever knows of it. Collective.
[[nodiscard]] inline owned<graph> dist_graph_create(const communicator& comm, const edges_options& with) {
  std::vector<int> from, to, weights;
  for (const auto& edge : with.edges) {
    from.push_back(edge.from);
    to.push_back(edge.to);
    weights.push_back(edge.weight);
  }
  const std::vector<int> degrees(from.size(), 1);
  MPI_Comm result = MPI_COMM_NULL;
  detail::check(MPI_Dist_graph_create(comm, static_cast<int>(from.size()), from.data(), degrees.data(), to.data(),
                                      detail::weights_of(weights), MPI_INFO_NULL, with.reorder, &result));
  return owned(graph(result));
}

}  // namespace antiphon
