// The topology of a communicator, which says which processes are neighbours: MPI 5.0, chapter 8. Immutable, shared
// by a communicator and its duplicates. Of a distributed graph each process knows its own edges only; of the other
// two it knows all.
#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "objects/refcount.hpp"

namespace antiphon::objects {

// A grid. Ranks count through it in row-major order: the last coordinate moves fastest.
struct Cart {
  std::vector<int> dims;
  std::vector<bool> periodic;  // for each dimension: whether it wraps around

  [[nodiscard]] int size() const;
  [[nodiscard]] std::vector<int> coords_of(int rank) const;
  // The coordinates are in range.
  [[nodiscard]] int rank_of(const std::vector<int>& coords) const;
  // The rank `distance` further along `dimension`; abi::PROC_NULL beyond the end of a dimension that does not wrap.
  [[nodiscard]] int neighbor(int rank, int dimension, long distance) const;
};

// Node i's neighbours are edges[index[i - 1]] to edges[index[i] - 1], with index[-1] being 0.
struct Graph {
  std::vector<int> index;
  std::vector<int> edges;

  [[nodiscard]] int neighbors_begin(int node) const {
    return node == 0 ? 0 : index[static_cast<std::size_t>(node) - 1];
  }
  [[nodiscard]] int neighbors_end(int node) const { return index[static_cast<std::size_t>(node)]; }
};

// The edges that end here and those that begin here. Weights are empty where there are none.
struct DistGraph {
  std::vector<int> sources;
  std::vector<int> source_weights;
  std::vector<int> destinations;
  std::vector<int> destination_weights;
  bool weighted = false;
};

// Whom one process receives from and sends to in neighbourhood collectives (MPI 5.0, 8.6): a block each, in this
// order. Some may be abi::PROC_NULL, or the same process, or this one itself.
struct Neighborhood {
  std::vector<int> sources;
  std::vector<int> destinations;
  bool on_grid = false;

  // Which source's message is the next of those that one process may have sent. On a grid, what goes down in a
  // dimension arrives from above: with two processes around a dimension, or one, from the second of two neighbours
  // first.
  [[nodiscard]] std::size_t arriving(std::size_t nth) const { return on_grid ? nth ^ 1 : nth; }
};

class Topology : public Refcounted {
 public:
  using Shape = std::variant<Cart, Graph, DistGraph>;
  explicit Topology(Shape shape) : shape_(std::move(shape)) {}

  // Null where the topology is another.
  [[nodiscard]] const Cart* cart() const { return std::get_if<Cart>(&shape_); }
  [[nodiscard]] const Graph* graph() const { return std::get_if<Graph>(&shape_); }
  [[nodiscard]] const DistGraph* dist_graph() const { return std::get_if<DistGraph>(&shape_); }
  // Around this process, whose rank is one in all communicators that share the topology. Guarded by the lane's lock.
  [[nodiscard]] const Neighborhood& around(int rank) const;

 private:
  Shape shape_;
  mutable std::optional<Neighborhood> around_;  // from its first use on
};

}  // namespace antiphon::objects
