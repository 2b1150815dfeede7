// Neighbours: grids, graphs, and graphs that everybody knows a part of.
#include <algorithm>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

int topology_of(MPI_Comm comm) {
  int status = 0;
  MPI_Topo_test(comm, &status);
  return status;
}
int before() { return (rank() + size() - 1) % size(); }
int after() { return (rank() + 1) % size(); }

void a_ring_of_a_grid() {
  const int dims[] = {size(), 1}, periods[] = {1, 0};
  MPI_Comm grid, dup;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
  MPI_Comm_dup(grid, &dup);
  for (MPI_Comm comm : {grid, dup}) {
    expect_equal(topology_of(comm), MPI_CART, "the topology");
    int source = -1, dest = -1;
    MPI_Cart_shift(comm, 0, 1, &source, &dest);
    expect_equal(source, before(), "the neighbour before");
    expect_equal(dest, after(), "the neighbour after");
    MPI_Cart_shift(comm, 1, 1, &source, &dest);
    expect_equal(dest, MPI_PROC_NULL, "the neighbour beyond the edge");
    MPI_Comm_free(&comm);
  }
}

void rows_and_columns() {
  int dims[] = {0, 0};
  const int periods[] = {0, 1};
  MPI_Dims_create(size(), 2, dims);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  int coords[2], got_dims[2], got_periods[2];
  MPI_Cart_get(grid, 2, got_dims, got_periods, coords);
  expect_equal(got_dims[0] * got_dims[1], size(), "the size of the grid");
  for (const int dimension : {0, 1}) {
    const int remain[] = {dimension == 0, dimension == 1};
    MPI_Comm line;
    MPI_Cart_sub(grid, remain, &line);
    int members = 0, place = -1, period = -1, extent = 0, at = -1;
    MPI_Comm_size(line, &members);
    MPI_Comm_rank(line, &place);
    MPI_Cart_get(line, 1, &extent, &period, &at);
    expect_equal(members, dims[dimension], "the length of the line");
    expect_equal(place, coords[dimension], "the place in the line");
    expect_equal(period, periods[dimension], "whether it is periodic");
    int sum = 0;
    MPI_Allreduce(&coords[1 - dimension], &sum, 1, MPI_INT, MPI_SUM, line);
    expect_equal(sum, coords[1 - dimension] * members, "the sum of what the line has in common");
    MPI_Comm_free(&line);
  }
  const int none[] = {0, 0};
  MPI_Comm point;
  MPI_Cart_sub(grid, none, &point);
  int dimensions = -1;
  MPI_Cartdim_get(point, &dimensions);
  expect_equal(dimensions, 0, "the dimensions of a point");
  MPI_Comm_free(&point);
  MPI_Comm_free(&grid);
}

void a_grid_too_large() {
  const int dims[] = {size() + 1}, periods[] = {0};
  MPI_Comm grid = MPI_COMM_WORLD;
  expect_error(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid), MPI_ERR_DIMS, "a grid that is too large");
  expect(grid == MPI_COMM_NULL, "a failed constructor returns something");
}

// A star with rank 0 in the middle.
void a_graph() {
  std::vector<int> index, edges;
  for (int other = 1; other < size(); ++other) edges.push_back(other);
  index.push_back(size() - 1);
  for (int other = 1; other < size(); ++other) {
    edges.push_back(0);
    index.push_back(static_cast<int>(edges.size()));
  }
  MPI_Comm star;
  MPI_Graph_create(MPI_COMM_WORLD, size(), index.data(), edges.data(), 0, &star);
  expect_equal(topology_of(star), MPI_GRAPH, "the topology");
  int count = -1, first = -1;
  MPI_Graph_neighbors_count(star, rank(), &count);
  expect_equal(count, rank() == 0 ? size() - 1 : 1, "the number of neighbours");
  if (rank() != 0) {
    MPI_Graph_neighbors(star, rank(), 1, &first);
    expect_equal(first, 0, "the neighbour");
  }
  MPI_Comm_free(&star);
}

struct Neighbors {
  int weighted = -1;
  std::vector<int> sources, source_weights, destinations, destination_weights;
};
Neighbors neighbors_in(MPI_Comm comm) {
  Neighbors all;
  int in = -1, out = -1;
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &all.weighted);
  for (auto* list : {&all.sources, &all.source_weights}) list->resize(static_cast<std::size_t>(in));
  for (auto* list : {&all.destinations, &all.destination_weights}) list->resize(static_cast<std::size_t>(out));
  MPI_Dist_graph_neighbors(comm, in, all.sources.data(), all.source_weights.data(), out, all.destinations.data(),
                           all.destination_weights.data());
  return all;
}

// A ring in which rank 0 knows all edges, and the same where everybody knows its own.
void a_ring_that_one_knows() {
  std::vector<int> sources, degrees, destinations, weights;
  for (int i = 0; rank() == 0 && i < size(); ++i) {
    sources.push_back(i);
    degrees.push_back(1);
    destinations.push_back((i + 1) % size());
    weights.push_back(100 + i);
  }
  MPI_Comm told, known;
  MPI_Dist_graph_create(MPI_COMM_WORLD, static_cast<int>(sources.size()), sources.data(), degrees.data(),
                        destinations.data(), rank() == 0 ? weights.data() : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0,
                        &told);
  const int source = before(), source_weight = 100 + before(), destination = after(), weight = 100 + rank();
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &source, &source_weight, 1, &destination, &weight, MPI_INFO_NULL,
                                 0, &known);
  for (MPI_Comm comm : {told, known}) {
    expect_equal(topology_of(comm), MPI_DIST_GRAPH, "the topology");
    const Neighbors got = neighbors_in(comm);
    expect_equal(got.weighted, 1, "whether it has weights");
    expect(got.sources == std::vector{before()} && got.destinations == std::vector{after()}, "the neighbours");
    expect(got.source_weights == std::vector{100 + before()}, "the weight of the edge that ends here");
    expect(got.destination_weights == std::vector{100 + rank()}, "the weight of the edge that begins here");
    MPI_Comm_free(&comm);
  }
}

void edges_that_many_know() {
  // Everybody names an edge from everybody to rank 0, without weights.
  std::vector<int> sources, degrees(static_cast<std::size_t>(size()), 1),
      destinations(static_cast<std::size_t>(size()), 0);
  for (int i = 0; i < size(); ++i) sources.push_back(i);
  MPI_Comm graph;
  MPI_Dist_graph_create(MPI_COMM_WORLD, size(), sources.data(), degrees.data(), destinations.data(), MPI_UNWEIGHTED,
                        MPI_INFO_NULL, 1, &graph);
  const Neighbors got = neighbors_in(graph);
  const auto all = static_cast<std::size_t>(size());
  expect_equal(got.weighted, 0, "whether it has weights");
  expect_equal(got.sources.size(), rank() == 0 ? all * all : 0, "the number of edges that end here");
  expect_equal(got.destinations.size(), all, "the number of edges that begin here");
  MPI_Comm_free(&graph);
}

}  // namespace

int main() {
  return run({{"a grid of one row is a ring", a_ring_of_a_grid},
              {"a grid has rows and columns", rows_and_columns},
              {"a grid that is too large is refused", a_grid_too_large},
              {"a graph tells everybody's neighbours", a_graph},
              {"edges come to those whom they concern", a_ring_that_one_knows},
              {"edges may be named many times", edges_that_many_know}});
}
