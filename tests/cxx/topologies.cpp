// Grids and graphs of ranks, and what neighbours exchange.
#include <algorithm>
#include <antiphon/topology.hpp>
#include <array>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "neighbors.hpp"

namespace {

using antiphon::null_process;
using antiphon::owned;
using antiphon::ragged;
using antiphon::world;
using conformance::rank;
using conformance::size;

owned<antiphon::graph> ring() {
  return antiphon::dist_graph_create_adjacent(world(), {.sources = {{left(), 3}}, .destinations = {{right(), 3}}});
}

// A star: rank 0 sends to all others, which send to nobody.
owned<antiphon::graph> star() {
  std::vector<antiphon::edge> edges;
  for (int r = 1; r < size() && rank() == 0; ++r) edges.push_back({0, r, r});
  return antiphon::dist_graph_create(world(), {.edges = edges});
}

void grids_know_who_is_where() {
  const auto grid = antiphon::cart_create<2>(world(), {.periods = {true, false}});
  const auto [rows, columns] = grid.dims();
  expect_equal(rows * columns, size(), "the ranks of the grid");
  expect(grid.periods() == std::array{true, false}, "the periods differ");
  const auto [row, column] = grid.coordinates();
  expect_equal(grid.rank({row, column}), grid.rank(), "who is at my place");
  expect_equal(grid.rank({row + rows, column}), grid.rank(), "who is there, once around");
  const auto [above, below] = grid.shift(0);
  expect_equal(above, grid.rank({row - 1, column}), "who is above");
  expect_equal(below, grid.rank({row + 1, column}), "who is below");
  expect_equal(grid.shift(1).from, column > 0 ? grid.rank({row, column - 1}) : null_process, "who is on the left");
  expect_equal(grid.shift(1, columns).to, null_process, "who is beyond the grid");

  int came = -1;
  grid.sendrecv(grid.rank(), came, grid.shift(0));
  expect_equal(came, above, "what came from above");

  const auto my_row = grid.sub<1>();
  expect_equal(my_row.size(), columns, "the length of a row");
  expect_equal(my_row.coordinates()[0], column, "the place in the row");
  expect_equal(grid.sub<0>().allreduce(column, antiphon::maximum{}), column, "the column of a column's ranks");
  expect_equal(grid.sub<0, 1>().size(), size(), "the ranks when all dimensions are kept");
}

void grids_leave_out_ranks_that_have_no_place() {
  const int length = (size() + 1) / 2;
  const auto line = antiphon::cart_create<1>(world(), {.dims = {length}});
  expect_equal(static_cast<bool>(line), rank() < length, "whether there is a place");
  if (line) expect_equal(line.size(), length, "the length of the line");
  expect((antiphon::dims_create<3>(24, {0, 2, 0})[1] == 2), "a length that was said was changed");
  expect_equal(error_class_of([] { (void)antiphon::cart_create<1>(world(), {.dims = {size() + 1}}); }), MPI_ERR_DIMS,
               "the error of a grid that is too large");
}

void graphs_know_their_neighbors_and_weights() {
  using edges = std::vector<antiphon::neighbor>;
  const auto around = ring();
  expect(around.sources() == edges{{left(), 3}}, "the ring's sources differ");
  expect(around.destinations() == edges{{right(), 3}}, "the ring's destinations differ");
  const auto from_first = star();
  expect(from_first.sources() == (rank() > 0 ? edges{{0, rank()}} : edges()), "the star's sources differ");
  expect_equal(from_first.destinations().size(), static_cast<std::size_t>(rank() == 0 ? size() - 1 : 0),
               "the star's destinations");
  const auto nobody = antiphon::dist_graph_create_adjacent(world(), {});
  expect(nobody.sources().empty() && nobody.neighbor_allgather(1).empty(), "a graph without edges has neighbours");
  expect_equal(error_class_of([] { (void)antiphon::dist_graph_create_adjacent(world(), {.sources = {size()}}); }),
               MPI_ERR_RANK, "the error of a rank that is none");
}

void neighbors_gather_in_the_order_of_their_topology() {
  const auto line = antiphon::cart_create<1>(world(), {.dims = {size()}});
  const std::vector<int> expected{rank() > 0 ? rank() - 1 : 0, rank() + 1 < size() ? rank() + 1 : 0};
  expect(line.neighbor_allgather(rank()) == expected, "the line's neighbours differ");
  std::array<int, 2> room{-1, -1};
  line.neighbor_allgather(rank(), room);
  expect_equal(room[0], rank() > 0 ? rank() - 1 : -1, "what nobody sends");

  const auto around = ring();
  auto later = around.ineighbor_allgather(std::vector{rank(), 7});
  auto rounds = around.neighbor_allgather_init(int{});
  for (int round = 0; round < 3; ++round) {
    rounds.buffer() = 10 * rank() + round;
    rounds.start();
    rounds.wait();
    expect_equal(rounds.result()[0], 10 * left() + round, "what a round gathered");
  }
  expect(later.get() == std::vector{left(), 7}, "the future's elements differ");
}

void neighbors_gather_blocks_of_any_length() {
  const auto line = antiphon::cart_create<1>(world(), {.dims = {size()}});
  const auto brought = [](int r) { return std::vector(r < 0 || r >= size() ? 0U : static_cast<std::size_t>(r), r); };
  const std::vector<MPI_Count> counts{std::max(rank() - 1, 0), rank() + 1 < size() ? rank() + 1 : 0};
  auto rounds = line.neighbor_allgatherv_init(brought(rank()), {.counts = counts});
  rounds.start();
  rounds.wait();
  const ragged<int> found_out = line.neighbor_allgatherv(brought(rank()));
  const ragged<int> told = line.neighbor_allgatherv(brought(rank()), {.counts = counts});
  const ragged<int> later = line.ineighbor_allgatherv(brought(rank()), {.counts = counts}).get();
  for (const int i : {0, 1}) {
    const auto expected = brought(rank() + (i == 0 ? -1 : 1));
    expect(std::ranges::equal(found_out[i], expected), "a block whose length was found out differs");
    expect(std::ranges::equal(told[i], expected), "a block whose length was told differs");
    expect(std::ranges::equal(later[i], expected), "the future's block differs");
    expect(std::ranges::equal(rounds.result()[i], expected), "the round's block differs");
  }
}

void neighbors_exchange_parts_and_blocks() {
  // Each rank says to each neighbour of a periodic line on which side it is; with two ranks both are the same.
  const auto line = antiphon::cart_create<1>(world(), {.periods = {true}});
  const std::array sides{10 * rank(), 10 * rank() + 1};
  const std::vector expected{10 * left() + 1, 10 * right()};
  expect(line.neighbor_alltoall(sides) == expected, "the parts differ");
  expect(line.ineighbor_alltoall(std::span(sides)).get() == expected, "the future's parts differ");
  auto rounds = line.neighbor_alltoall_init(std::vector(sides.begin(), sides.end()));
  rounds.start();
  rounds.wait();
  expect(std::ranges::equal(rounds.result(), expected), "the round's parts differ");

  // The root of the star has something for everybody, in blocks of which some are empty.
  const auto from_first = star();
  std::vector<std::vector<int>> blocks;
  for (const auto& [r, weight] : from_first.destinations()) {
    expect_equal(weight, r, "the weight of an edge");
    blocks.emplace_back(static_cast<std::size_t>(r % 3), r);
  }
  const auto outgoing = ragged<int>::of(blocks);
  const std::vector<MPI_Count> counts(rank() > 0 ? 1U : 0U, rank() % 3);
  auto in_rounds = from_first.neighbor_alltoallv_init(ragged(outgoing), {.counts = counts});
  in_rounds.start();
  in_rounds.wait();
  const auto told = from_first.neighbor_alltoallv(outgoing, {.counts = counts});
  const auto later = from_first.ineighbor_alltoallv(ragged(outgoing), {.counts = counts}).get();
  expect_equal(told.size(), rank() > 0 ? 1 : 0, "the number of blocks");
  if (rank() > 0) {
    const std::vector<int> mine(static_cast<std::size_t>(rank() % 3), rank());
    expect(std::ranges::equal(told[0], mine), "the block differs");
    expect(std::ranges::equal(later[0], mine), "the future's block differs");
    expect(std::ranges::equal(in_rounds.result()[0], mine), "the round's block differs");
  }
  const auto found_out = line.neighbor_alltoallv(ragged<int>(std::vector{1, 2, rank()}, {1, 2}));
  expect(std::ranges::equal(found_out[0], std::vector{2, left()}) && std::ranges::equal(found_out[1], std::vector{1}),
         "the blocks whose lengths were found out differ");
}

// Each rank has 2 x 2 elements of a matrix, which is closed in both directions, and around them those of its
// neighbours: rows above and below, columns beside.
void neighbors_exchange_rows_and_columns() {
  using antiphon::region;
  const auto grid = antiphon::cart_create<2>(world(), {.periods = {true, true}});
  std::array<std::array<int, 4>, 4> matrix{};
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  const auto row_at = [&](std::size_t i) { return region{&matrix[i][1], 2, MPI_INT}; };
  const auto column_at = [&](std::size_t j) { return region{&matrix[1][j], 1, column}; };
  const std::array outgoing{row_at(1), row_at(2), column_at(1), column_at(2)};
  const std::array incoming{row_at(0), row_at(3), column_at(0), column_at(3)};

  const auto value = [](int whose, int i, int j, int round) { return 1000 * whose + 100 * round + 10 * i + j; };
  const auto fill = [&](int round) {
    for (auto& row : matrix) row.fill(-1);
    for (int i : {1, 2})
      for (int j : {1, 2})
        matrix[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = value(rank(), i, j, round);
  };
  const auto rows = grid.shift(0), columns = grid.shift(1);
  const auto expect_around = [&](int round) {
    for (int k : {1, 2}) {
      const auto at = static_cast<std::size_t>(k);
      expect_equal(matrix[0][at], value(rows.from, 2, k, round), "the row above");
      expect_equal(matrix[3][at], value(rows.to, 1, k, round), "the row below");
      expect_equal(matrix[at][0], value(columns.from, k, 2, round), "the column before");
      expect_equal(matrix[at][3], value(columns.to, k, 1, round), "the column after");
    }
    expect(matrix[0][0] == -1 && matrix[3][3] == -1, "a corner was written to");
  };
  fill(0);
  grid.neighbor_alltoallw(outgoing, incoming);
  expect_around(0);
  fill(1);
  grid.ineighbor_alltoallw(outgoing, incoming).get();
  expect_around(1);
  auto rounds = grid.neighbor_alltoallw_init(outgoing, incoming);
  for (int round = 2; round < 5; ++round) {
    fill(round);
    rounds.start();
    rounds.wait();
    expect_around(round);
  }
  MPI_Type_free(&column);
}

void what_neighbors_cannot_know_is_an_error() {
  if (size() == 1) return;
  const auto from_first = star();
  std::vector<int> parts(rank() == 0 ? static_cast<std::size_t>(size() - 1) : 0, 4);
  if (rank() > 0)
    expect_equal(error_class_of([&] { (void)from_first.neighbor_alltoall(parts); }), MPI_ERR_COUNT,
                 "the error of a rank that sends to nobody");
  std::vector<int> room(rank() > 0 ? 1 : 0);
  from_first.neighbor_alltoall(parts, room);
  if (rank() > 0) expect_equal(room[0], 4, "what came into the second buffer");
  expect_equal(error_class_of([&] { (void)from_first.neighbor_alltoallv(ragged<int>(std::vector<MPI_Count>(40))); }),
               MPI_ERR_COUNT, "the error of too many blocks");
  const antiphon::neighborhood none(MPI_COMM_WORLD);
  expect_equal(error_class_of([&] { (void)none.neighbor_allgather(1); }), MPI_ERR_TOPOLOGY,
               "the error without edges");
}

}  // namespace

int main() {
  return conformance::run({
      {"grids know who is where", grids_know_who_is_where},
      {"grids leave out ranks that have no place", grids_leave_out_ranks_that_have_no_place},
      {"graphs know their neighbors and weights", graphs_know_their_neighbors_and_weights},
      {"neighbors gather in the order of their topology", neighbors_gather_in_the_order_of_their_topology},
      {"neighbors gather blocks of any length", neighbors_gather_blocks_of_any_length},
      {"neighbors exchange parts and blocks", neighbors_exchange_parts_and_blocks},
      {"neighbors exchange rows and columns", neighbors_exchange_rows_and_columns},
      {"what neighbors cannot know is an error", what_neighbors_cannot_know_is_an_error},
  });
}
