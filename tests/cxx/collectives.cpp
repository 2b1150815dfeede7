// What all ranks do together, through antiphon/mpi.hpp.
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "neighbors.hpp"

namespace {

using antiphon::ragged;
using antiphon::world;
using conformance::rank;
using conformance::size;

std::size_t ranks() { return static_cast<std::size_t>(size()); }

// What rank r brings: r + extra elements, all r.
std::vector<int> brought(int r, int extra = 0) { return std::vector<int>(static_cast<std::size_t>(r + extra), r); }

void a_broadcast_fills_a_buffer_or_tells_its_length() {
  for (int root = 0; root < size(); ++root) {
    double value = rank() == root ? 3.5 : 0;
    world().bcast(value, {.root = root});
    expect_equal(value, 3.5, "the value");
    std::array<int, 3> array{};
    if (rank() == root) array = {1, 2, root};
    world().bcast(array, {.root = root});
    expect(array == std::array{1, 2, root}, "the array differs");
    auto& same = world().bcast(array, {.root = root});
    static_assert(std::is_same_v<decltype(same), std::array<int, 3>&>);
    expect(&same == &array, "an lvalue is not returned as it is");
    const auto view = world().bcast(std::span(array).first(2), {.root = root});
    expect(view.data() == array.data() && view.size() == 2, "a view is not returned as it is");
    expect_equal(world().bcast(rank() == root ? 4 : 0, {.root = root}), 4, "a value that is moved in");
    const auto words = world().bcast(rank() == root ? std::string("hello") : std::string(), {.root = root});
    expect_equal(words, "hello", "the string");
    expect_equal(world().ibcast(rank() == root ? 8 : 0, {.root = root}).get(), 8, "ibcast's value");
  }
}

void equal_parts_are_gathered_and_scattered() {
  for (int root = 0; root < size(); ++root) {
    const auto all = world().gather(std::array{rank(), root}, {.root = root});
    expect_equal(all.size(), rank() == root ? 2 * ranks() : 0, "the number of elements gathered");
    for (std::size_t r = 0; 2 * r < all.size(); ++r)
      expect(all[2 * r] == static_cast<int>(r) && all[2 * r + 1] == root, "gathered elements differ");
    std::vector<int> room(rank() == root ? ranks() : 0);
    world().gather(rank(), room, {.root = root});
    for (std::size_t r = 0; r < room.size(); ++r)
      expect_equal(room[r], static_cast<int>(r), "an element in the room");

    std::vector<int> parts;
    if (rank() == root)
      for (int r = 0; r < size(); ++r) parts.insert(parts.end(), {r, root});
    expect(world().scatter(parts, {.root = root}) == std::vector{rank(), root}, "the scattered part differs");
    std::array<int, 2> mine{};
    world().scatter(parts, mine, {.root = root});
    expect(mine == std::array{rank(), root}, "the part in the array differs");
  }
  std::vector<int> everybody(ranks());
  std::iota(everybody.begin(), everybody.end(), 0);
  expect(world().allgather(rank()) == everybody, "allgather differs");
  std::vector<int> room(ranks());
  world().allgather(rank(), room);
  expect(room == everybody, "allgather into a buffer differs");
  expect(world().iallgather(rank()).get() == everybody, "iallgather differs");
}

// The result has the length of the buffer that is moved in, whichever of the two is made first.
void a_buffer_that_is_moved_in_tells_the_length_of_the_result() {
  const int sum = size() * (size() - 1) / 2;
  const std::vector<int> sums(3, sum);
  expect(world().iallreduce(std::vector(3, rank()), std::plus{}).get() == sums, "iallreduce of a moved vector");
  auto rounds = world().allreduce_init(std::vector(3, rank()), std::plus{});
  rounds.start();
  rounds.wait();
  expect(std::ranges::equal(rounds.result(), sums), "allreduce_init of a moved vector");
  const auto all = world().iallgather(std::vector(2, rank())).get();
  expect_equal(all.size(), 2 * ranks(), "the length of iallgather's result");
  for (int r = 0; r < size(); ++r) expect_equal(all[2 * static_cast<std::size_t>(r) + 1], r, "a gathered element");
}

void what_has_no_equal_parts_is_an_error_on_every_rank() {
  if (size() == 1) return;
  const std::vector<int> uneven(ranks() + 1);
  expect_equal(error_class_of([&] { (void)world().scatter(uneven); }), MPI_ERR_COUNT, "the error of uneven parts");
}

void a_result_with_no_room_is_an_error() {
  std::vector<int> room(ranks() + 1);
  expect_equal(error_class_of([&] { world().allgather(rank(), room); }), MPI_ERR_COUNT, "allgather's error");
  int one = 0;
  expect_equal(error_class_of([&] {
                 world().allreduce(std::array{1, 2}, one, std::plus{});
               }),
               MPI_ERR_COUNT, "allreduce's error");
  const std::vector<MPI_Count> one_more(ranks() + 1, 1);
  expect_equal(error_class_of([&] { (void)world().allgatherv(1, {.counts = one_more}); }), MPI_ERR_COUNT,
               "allgatherv's error");
  expect_equal(error_class_of([&] { (void)world().allgatherv(1, {.counts = {}}); }), MPI_ERR_COUNT,
               "allgatherv's error without any counts");
  expect_equal(error_class_of([&] { (void)world().gatherv(1, {.root = rank(), .counts = one_more}); }), MPI_ERR_COUNT,
               "gatherv's error");
}

void expect_blocks(const ragged<int>& all, int extra) {
  expect_equal(all.size(), size(), "the number of blocks");
  for (int r = 0; r < all.size(); ++r)
    expect(std::ranges::equal(all[r], brought(r, extra)), "the block of rank " + std::to_string(r) + " differs");
}

void parts_of_any_length_are_gathered_and_scattered() {
  for (const int extra : {0, 1, 1000}) {
    expect_blocks(world().allgatherv(brought(rank(), extra)), extra);
    std::vector<MPI_Count> counts;
    for (int r = 0; r < size(); ++r) counts.push_back(r + extra);
    expect_blocks(world().allgatherv(brought(rank(), extra), {.counts = counts}), extra);
    for (int root = 0; root < size(); ++root) {
      const auto all = world().gatherv(brought(rank(), extra), {.root = root});
      if (rank() == root)
        expect_blocks(all, extra);
      else
        expect(all.size() == 0 && all.values().empty(), "another rank than the root got something");
      expect(world().scatterv(all, {.root = root}) == brought(rank(), extra), "what is scattered again differs");
    }
  }
}

// As in C, the counts matter on the root alone, and the others need not have them.
void counts_may_be_known_on_the_root_alone() {
  for (int root = 0; root < size(); ++root) {
    std::vector<MPI_Count> counts;
    for (int r = 0; r < size() && rank() == root; ++r) counts.push_back(r + 1);
    const auto all = world().gatherv(brought(rank(), 1), {.root = root, .counts = counts});
    // What follows would meet a gather of lengths that one rank has called and another one has not.
    const auto firsts = world().gather(10 * rank(), {.root = root});
    const auto again = rank() == root ? world().gatherv(brought(rank(), 1), {.root = root, .counts = counts})
                                      : world().gatherv(brought(rank(), 1), {.root = root, .counts = {}});
    if (rank() == root) {
      expect_blocks(all, 1);
      expect_blocks(again, 1);
      expect_equal(firsts.back(), 10 * (size() - 1), "what was gathered next");
    }
  }
}

void blocks_change_places() {
  std::vector<int> outgoing;
  for (int r = 0; r < size(); ++r) outgoing.push_back(100 * rank() + r);
  const auto incoming = world().alltoall(outgoing);
  for (int r = 0; r < size(); ++r)
    expect_equal(incoming[static_cast<std::size_t>(r)], 100 * r + rank(), "an element");

  std::vector<std::vector<int>> blocks;  // r + 1 elements for rank r
  for (int r = 0; r < size(); ++r) blocks.emplace_back(static_cast<std::size_t>(r + 1), rank());
  const auto got = world().alltoallv(ragged<int>::of(blocks));
  for (int r = 0; r < size(); ++r)
    expect(std::ranges::equal(got[r], std::vector<int>(static_cast<std::size_t>(rank() + 1), r)), "a block differs");
}

void reductions_have_the_shape_of_their_buffer() {
  const int sum = size() * (size() - 1) / 2;
  expect_equal(world().allreduce(rank(), std::plus{}), sum, "the sum");
  expect(world().allreduce(std::array{rank(), 1}, std::plus{}) == std::array{sum, size()},
         "the sum of arrays differs");
  expect(world().allreduce(std::vector{rank(), 1}, std::plus<int>{}) == std::vector{sum, size()},
         "the sum of vectors differs");
  expect_equal(world().allreduce(1.0 + rank(), antiphon::maximum{}), static_cast<double>(size()), "the maximum");
  expect_equal(world().allreduce(1U << rank(), std::bit_or{}), (1U << size()) - 1, "the union of bits");
  expect_equal(world().allreduce(rank() == 0, std::logical_or{}), true, "whether any is true");
  expect_equal(world().allreduce(static_cast<char>(1), [](char a, char b) { return static_cast<char>(a + b); }),
               static_cast<char>(size()), "a sum of characters");
  int mine = rank();
  world().allreduce(antiphon::in_place, mine, std::plus{});
  expect_equal(mine, sum, "the sum in place");
  expect_equal(world().iallreduce(rank(), std::plus{}).get(), sum, "iallreduce's sum");
  for (int root = 0; root < size(); ++root) {
    const auto on_root = world().reduce(rank(), std::plus{}, {.root = root});
    expect_equal(on_root.has_value(), rank() == root, "whether there is a value");
    if (on_root) expect_equal(*on_root, sum, "the root's sum");
    expect_equal(world().reduce(std::vector{1, 2}, std::plus{}, {.root = root}).size(), rank() == root ? 2U : 0U,
                 "the length of the root's sums");
    int here = rank();
    world().reduce(antiphon::in_place, here, std::plus{}, {.root = root});
    expect_equal(here, rank() == root ? sum : rank(), "the root's sum in place");
  }
  expect_equal(world().scan(1, std::plus{}), rank() + 1, "the sum up to here");
  expect_equal(world().exscan(1, std::plus{}).value_or(0), rank(), "the sum before here");
  expect_equal(world().exscan(1, std::plus{}).has_value(), rank() > 0, "whether there is a sum before here");
}

struct extremum {
  double value;
  int rank;
};

// x -> a x + b, one after the other: the order matters.
struct affine {
  long a, b;
  friend bool operator==(const affine&, const affine&) = default;
};

void operations_of_the_program_work_in_rank_order() {
  const auto largest = world().allreduce(extremum{rank() == size() / 2 ? 9.0 : 1.0, rank()},
                                         [](auto x, auto y) { return x.value < y.value ? y : x; });
  expect_equal(largest.rank, size() / 2, "where the largest value is");

  const auto then = [](affine f, affine g) { return affine{f.a * g.a, f.b * g.a + g.b}; };
  affine expected{1, 0};
  for (int r = 0; r < size(); ++r) expected = then(expected, {2, r});
  expect(world().allreduce(affine{2, rank()}, then) == expected, "the order of the operands was changed");

  const auto both = antiphon::commutative([](auto x, auto y) {
    return std::pair{x.first + y.first, x.second * y.second};
  });
  const auto result = world().allreduce(std::pair{1, 2L}, both);
  expect(result == std::pair{size(), 1L << size()}, "an operation on pairs differs");
}

}  // namespace

int main() {
  return conformance::run({
      {"a broadcast fills a buffer or tells its length", a_broadcast_fills_a_buffer_or_tells_its_length},
      {"equal parts are gathered and scattered", equal_parts_are_gathered_and_scattered},
      {"a buffer that is moved in tells the length of the result",
       a_buffer_that_is_moved_in_tells_the_length_of_the_result},
      {"what has no equal parts is an error on every rank", what_has_no_equal_parts_is_an_error_on_every_rank},
      {"a result with no room is an error", a_result_with_no_room_is_an_error},
      {"parts of any length are gathered and scattered", parts_of_any_length_are_gathered_and_scattered},
      {"counts may be known on the root alone", counts_may_be_known_on_the_root_alone},
      {"blocks change places", blocks_change_places},
      {"reductions have the shape of their buffer", reductions_have_the_shape_of_their_buffer},
      {"operations of the program work in rank order", operations_of_the_program_work_in_rank_order},
  });
}
