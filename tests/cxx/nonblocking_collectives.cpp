// Collectives in futures and in rounds, and reductions that leave each rank its part.
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "neighbors.hpp"

namespace {

using antiphon::fixed_blocks;
using antiphon::in_place;
using antiphon::ragged;
using antiphon::world;
using conformance::rank;
using conformance::size;

std::size_t ranks() { return static_cast<std::size_t>(size()); }

// r + extra elements, which say whose they are and in which round.
std::vector<int> brought(int r, int extra, int round = 0) {
  return std::vector<int>(static_cast<std::size_t>(r + extra), 100 * r + round);
}
std::vector<MPI_Count> counts_of_all(int extra) {
  std::vector<MPI_Count> counts(ranks());
  std::iota(counts.begin(), counts.end(), extra);
  return counts;
}
// 100 * r + round from each rank r, `each` times.
std::vector<int> everybody(int each, int round = 0) {
  std::vector<int> all;
  for (int r = 0; r < size(); ++r) all.insert(all.end(), static_cast<std::size_t>(each), 100 * r + round);
  return all;
}

template <class Blocks>
void expect_brought(Blocks&& all, int extra, int round = 0) {
  expect_equal(all.size(), size(), "the number of blocks");
  for (int r = 0; r < all.size(); ++r)
    expect(std::ranges::equal(all[r], brought(r, extra, round)),
           "the block of rank " + std::to_string(r) + " differs");
}

void equal_parts_are_gathered() {
  for (const int each : {0, 1, 1000})
    for (int root = 0; root < size(); ++root) {
      const auto mine = std::vector<int>(static_cast<std::size_t>(each), 100 * rank());
      auto owned = world().igather(std::vector(mine), {.root = root});
      std::vector<int> room(rank() == root ? mine.size() * ranks() : 0);
      auto lent = world().igather(std::span(mine), std::span(room), {.root = root});
      expect(owned.get() == (rank() == root ? everybody(each) : std::vector<int>()), "what was gathered differs");
      expect(lent.get().data() == room.data(), "another view came back");
      if (rank() == root) expect(room == everybody(each), "what was gathered into the room differs");
      std::vector<int> room_of_all(mine.size() * ranks());
      world().iallgather(std::span(mine), std::span(room_of_all)).wait();
      expect(room_of_all == everybody(each), "what all gathered into the room differs");
    }
  auto rounds = world().gather_init(std::vector<int>(3), {.root = size() - 1});
  auto all = world().allgather_init(std::vector<int>(3));
  for (int round = 0; round < 3; ++round) {
    std::ranges::fill(rounds.buffer(), 100 * rank() + round);
    std::ranges::fill(all.buffer(), 100 * rank() + round);
    rounds.start();
    all.start();
    rounds.wait();
    all.wait();
    expect(std::ranges::equal(rounds.result(), rank() == size() - 1 ? everybody(3, round) : std::vector<int>()),
           "a round of gather differs");
    expect(std::ranges::equal(all.result(), everybody(3, round)), "a round of allgather differs");
  }
}

void blocks_of_any_length_are_gathered() {
  for (const int extra : {0, 1, 1000}) {
    const auto counts = counts_of_all(extra);
    expect_brought(world().iallgatherv(brought(rank(), extra), {.counts = counts}).get(), extra);
    for (int root = 0; root < size(); ++root) {
      const auto all = world()
                           .igatherv(brought(rank(), extra),
                                     {.root = root, .counts = rank() == root ? counts : std::vector<MPI_Count>()})
                           .get();
      if (rank() == root) expect_brought(all, extra);
    }
  }
  const auto counts = counts_of_all(2);
  auto to_root =
      world().gatherv_init(brought(rank(), 2), {.counts = rank() == 0 ? counts : std::vector<MPI_Count>()});
  auto to_all = world().allgatherv_init(brought(rank(), 2), {.counts = counts});
  static_assert(std::is_same_v<decltype(to_all.result()), fixed_blocks<int>>, "nobody may reallocate it");
  for (int round = 0; round < 3; ++round) {
    std::ranges::fill(to_root.buffer(), 100 * rank() + round);
    std::ranges::fill(to_all.buffer(), 100 * rank() + round);
    to_root.start();
    to_all.start();
    to_root.wait();
    to_all.wait();
    if (rank() == 0) expect_brought(to_root.result(), 2, round);
    expect_brought(to_all.result(), 2, round);
  }
}

void parts_of_the_roots_are_scattered() {
  for (int root = 0; root < size(); ++root) {
    auto part =
        world().iscatter(rank() == root ? everybody(4) : std::vector<int>(), std::vector<int>(4), {.root = root});
    expect(part.get() == std::vector(4, 100 * rank()), "the part differs");
    int one = 0;
    const auto singles = everybody(1);
    world().iscatter(std::span(singles), std::span(&one, 1), {.root = root}).wait();
    expect_equal(one, 100 * rank(), "the part of one element");

    std::vector<std::vector<int>> blocks;
    for (int r = 0; r < size() && rank() == root; ++r) blocks.push_back(brought(r, 0));
    auto block = world().iscatterv(ragged<int>::of(blocks), std::vector<int>(static_cast<std::size_t>(rank())),
                                   {.root = root});
    expect(block.get() == brought(rank(), 0), "the block differs");
  }
  auto parts = world().scatter_init(everybody(2), std::vector<int>(2));
  auto blocks =
      world().scatterv_init(ragged<int>(everybody(2), std::vector<MPI_Count>(ranks(), 2)), std::array<int, 2>{});
  for (int round = 0; round < 3; ++round) {
    std::ranges::copy(everybody(2, round), parts.buffer().begin());
    std::ranges::copy(everybody(2, round + 1), blocks.buffer().values().begin());
    parts.start();
    blocks.start();
    expect(is_refused([&] { (void)blocks.buffer(); }), "blocks that MPI has were given");
    parts.wait();
    blocks.wait();
    expect_equal(parts.result()[1], 100 * rank() + round, "a part in a round");
    expect_equal(blocks.result()[1], 100 * rank() + round + 1, "a block in a round");
  }
}

void all_exchange_parts_and_blocks() {
  std::vector<int> outgoing, expected;
  for (int r = 0; r < size(); ++r) {
    outgoing.push_back(100 * rank() + r);
    expected.push_back(100 * r + rank());
  }
  expect(world().ialltoall(std::vector(outgoing)).get() == expected, "the parts differ");
  expect(world().ialltoall(std::vector<int>()).get().empty(), "nothing became something");
  auto rounds = world().alltoall_init(std::vector(outgoing));
  // r + 1 elements for rank r
  std::vector<std::vector<int>> blocks;
  for (int r = 0; r < size(); ++r) blocks.emplace_back(static_cast<std::size_t>(r + 1), rank());
  const std::vector<MPI_Count> counts(ranks(), rank() + 1);
  const auto incoming = world().ialltoallv(ragged<int>::of(blocks), {.counts = counts}).get();
  auto blocks_in_rounds = world().alltoallv_init(ragged<int>::of(blocks), {.counts = counts});
  for (int round = 0; round < 3; ++round) {
    for (int& value : blocks_in_rounds.buffer().values()) value = rank() + round;
    rounds.start();
    blocks_in_rounds.start();
    rounds.wait();
    blocks_in_rounds.wait();
    expect(std::ranges::equal(rounds.result(), expected), "the parts of a round differ");
    for (int r = 0; r < size(); ++r) {
      const std::size_t count = static_cast<std::size_t>(rank() + 1);
      expect(std::ranges::equal(incoming[r], std::vector(count, r)), "a block differs");
      expect(std::ranges::equal(blocks_in_rounds.result()[r], std::vector(count, r + round)),
             "a round's block differs");
    }
  }
}

// What rank `from` brings rank `to`: 5 numbers for even ranks, 3 words of 8 bytes for odd ones, and nothing for
// itself.
int number(int from, int to, int round) { return 1000 * from + 10 * to + round; }

void each_rank_is_sent_another_type() {
  using antiphon::region;
  struct letters {
    std::array<int, 5> numbers{};
    std::array<double, 3> words{};
    region place(int whose) {
      if (whose % 2 == 0) return {numbers.data(), 5, antiphon::datatype_of<int>()};
      return {words.data(), 3, antiphon::datatype_of<double>()};
    }
    void write(int from, int to, int round) {
      numbers.fill(number(from, to, round));
      words.fill(number(from, to, round));
    }
  };
  std::vector<letters> mine(ranks()), theirs(ranks());
  std::vector<antiphon::const_region> outgoing;
  std::vector<region> incoming;
  for (int r = 0; r < size(); ++r) {
    const auto [address, count, type] = mine[static_cast<std::size_t>(r)].place(r);
    outgoing.push_back(r == rank() ? antiphon::const_region{} : antiphon::const_region{address, count, type});
    incoming.push_back(r == rank() ? region{} : theirs[static_cast<std::size_t>(r)].place(rank()));
  }
  auto rounds = world().alltoallw_init(outgoing, incoming);
  const auto write = [&](int round) {
    for (int r = 0; r < size(); ++r) mine[static_cast<std::size_t>(r)].write(rank(), r, round);
  };
  const auto expect_read = [&](int round) {
    for (int r = 0; r < size(); ++r) {
      const int expected = r == rank() ? 0 : number(r, rank(), round);
      const auto& [numbers, words] = theirs[static_cast<std::size_t>(r)];
      expect_equal(numbers[4], rank() % 2 == 0 ? expected : 0, "the numbers");
      expect_equal(words[2], rank() % 2 == 0 ? 0 : expected, "the words");
    }
  };
  for (int round = 0; round < 3; ++round) {
    write(round);
    rounds.start();
    rounds.wait();
    expect_read(round);
  }
  write(3);
  world().alltoallw(outgoing, incoming);
  expect_read(3);
  write(4);
  auto under_way = world().ialltoallw(outgoing, incoming);
  outgoing.clear();  // the memory stays, the regions need not
  under_way.get();
  expect_read(4);
  expect_equal(error_class_of([&] { world().alltoallw(outgoing, incoming); }), MPI_ERR_COUNT,
               "the error of too few regions");
}

void reductions_have_results_where_there_are_some() {
  const int sum = size() * (size() - 1) / 2;
  for (int root = 0; root < size(); ++root) {
    const std::optional<int> on_root = world().ireduce(rank(), std::plus{}, {.root = root}).get();
    expect(on_root == (rank() == root ? std::optional(sum) : std::nullopt), "the root's sum differs");
    const auto many = world().ireduce(std::vector{rank(), 1}, std::plus{}, {.root = root}).get();
    expect(many == (rank() == root ? std::vector{sum, size()} : std::vector<int>()), "the root's sums differ");
    std::vector<int> here{rank(), 1};
    auto there = world().ireduce(in_place, std::span(here), std::plus{}, {.root = root});
    there.wait();
    if (rank() == root) expect(here == std::vector{sum, size()}, "the sums in place differ");
  }
  std::array<int, 2> room{};
  world().iallreduce(std::array{rank(), 1}, std::span(room), std::plus{}).wait();
  expect(room == std::array{sum, size()}, "the sums in a second buffer differ");
  auto again = world().allreduce_init(int{1}, std::span(room).first(1), std::plus{});
  again.start();
  again.wait();
  expect_equal(room[0], size(), "a round's sum in a second buffer");
  expect_equal(world().iscan(1, std::plus{}).get(), rank() + 1, "the sum up to here");
  expect(world().iscan(std::array{1, rank()}, std::plus{}).get() == std::array{rank() + 1, rank() * (rank() + 1) / 2},
         "the sums up to here differ");
  expect(world().iexscan(1, std::plus{}).get() == (rank() > 0 ? std::optional(rank()) : std::nullopt),
         "the sum before here differs");
  expect_equal(world().iexscan(std::vector{1, 2}, std::plus{}).get().size(), rank() > 0 ? 2U : 0U,
               "the number of sums before here");

  auto reduced = world().reduce_init(int{}, antiphon::maximum{}, {.root = size() - 1});
  auto up_to_here = world().scan_init(std::vector<int>(2), std::plus{});
  auto before_here = world().exscan_init(int{}, std::plus{});
  for (int round = 0; round < 3; ++round) {
    reduced.buffer() = rank() + round;
    before_here.buffer() = round;
    std::ranges::fill(up_to_here.buffer(), round);
    reduced.start();
    up_to_here.start();
    before_here.start();
    reduced.wait();
    up_to_here.wait();
    before_here.wait();
    expect(reduced.result() == (rank() == size() - 1 ? std::optional(size() - 1 + round) : std::nullopt),
           "the maximum of a round differs");
    expect_equal(up_to_here.result()[1], (rank() + 1) * round, "a round's sum up to here");
    expect(before_here.result() == (rank() > 0 ? std::optional(rank() * round) : std::nullopt),
           "a round's sum before here differs");
  }
}

// Part r of each rank has its elements r + 1 times as large.
std::vector<int> multiples(int each) {
  std::vector<int> all;
  for (int r = 0; r < size(); ++r) all.insert(all.end(), static_cast<std::size_t>(each), (rank() + 1) * (r + 1));
  return all;
}

void reductions_leave_each_rank_its_part() {
  const int sum = size() * (size() + 1) / 2 * (rank() + 1);
  for (const int each : {0, 1, 500}) {
    const auto expected = std::vector(static_cast<std::size_t>(each), sum);
    expect(world().reduce_scatter_block(multiples(each), std::plus{}) == expected, "the part differs");
    expect(world().ireduce_scatter_block(multiples(each), std::plus{}).get() == expected,
           "the future's part differs");
  }
  int one = 0;
  world().reduce_scatter_block(multiples(1), one, std::plus{});
  expect_equal(one, sum, "the part that is a value");

  // r elements for rank r, so none for rank 0
  std::vector<std::vector<int>> blocks;
  for (int r = 0; r < size(); ++r) blocks.emplace_back(static_cast<std::size_t>(r), (rank() + 1) * (r + 1));
  const auto all = ragged<int>::of(blocks);
  const std::vector<int> expected(static_cast<std::size_t>(rank()), sum);
  expect(world().reduce_scatter(all, std::plus{}) == expected, "the block differs");
  expect(world().ireduce_scatter(ragged(all), [](int a, int b) { return a + b; }).get() == expected,
         "the future's block differs");

  auto parts = world().reduce_scatter_block_init(multiples(2), std::plus{});
  auto in_blocks = world().reduce_scatter_init(ragged(all), std::plus{});
  for (int round = 0; round < 3; ++round) {
    parts.start();
    in_blocks.start();
    parts.wait();
    in_blocks.wait();
    expect(std::ranges::equal(parts.result(), std::vector(2, sum + round * size())), "a round's part differs");
    expect(std::ranges::equal(in_blocks.result(), expected), "a round's block differs");
    for (int& value : parts.buffer()) ++value;
  }
}

// Functions with state stay with what does not block, which may move meanwhile.
void operations_may_have_state() {
  const int modulus = 1000 + size();
  const auto times = [modulus](int a, int b) { return a * b % modulus; };
  int all = 1, up_to_here = 1;
  for (int r = 0; r < size(); ++r) {
    all = all * (r + 2) % modulus;
    if (r == rank()) up_to_here = all;
  }
  std::vector<antiphon::future<std::optional<int>>> reductions;
  for (int root = 0; root < size(); ++root) reductions.push_back(world().ireduce(rank() + 2, times, {.root = root}));
  for (int root = 0; root < size(); ++root)
    expect(reductions[static_cast<std::size_t>(root)].get() == (rank() == root ? std::optional(all) : std::nullopt),
           "the root's product differs");
  expect_equal(world().iscan(rank() + 2, times).get(), up_to_here, "the product up to here");
  const std::vector<int> parts(ranks(), rank() + 2);
  expect(world().reduce_scatter_block(parts, times) == std::vector{all}, "the part differs");
  expect(world().reduce_scatter(ragged<int>(std::vector(parts), std::vector<MPI_Count>(ranks(), 1)), times) ==
             std::vector{all},
         "the block differs");
  auto made = world().ireduce_scatter_block(std::vector(parts), times);
  auto rounds = world().exscan_init(int{}, times);
  auto moved = std::move(rounds);
  for (int round = 0; round < 3; ++round) {
    moved.buffer() = rank() + 2;
    moved.start();
    moved.wait();
    if (rank() > 0) expect_equal(*moved.result() * (rank() + 2) % modulus, up_to_here, "a round's product");
  }
  expect(made.get() == std::vector{all}, "the future's part differs");
}

void lengths_that_do_not_fit_are_errors() {
  const auto one_more = std::vector<int>(ranks() + 1);
  const auto counts = std::vector<MPI_Count>(ranks() + 1, 1);
  const auto class_of = [](auto call) { return error_class_of([&] { (void)call(); }); };
  expect_equal(class_of([&] { return world().igather(rank(), std::span<int>(), {.root = rank()}); }), MPI_ERR_COUNT,
               "igather's error");
  expect_equal(class_of([&] { return world().iallgatherv(std::vector{1}, {.counts = counts}); }), MPI_ERR_COUNT,
               "iallgatherv's error");
  expect_equal(class_of([&] { return world().ialltoallv(ragged<int>(counts), {.counts = counts}); }), MPI_ERR_COUNT,
               "ialltoallv's error");
  expect_equal(class_of([&] { return world().reduce_scatter(ragged<int>(counts), std::plus{}); }), MPI_ERR_COUNT,
               "reduce_scatter's error");
  expect_equal(class_of([&] { return ragged<int>(std::vector<int>(3), {1, 1}); }), MPI_ERR_COUNT, "ragged's error");
  if (size() == 1) return;
  expect_equal(class_of([&] { return world().ialltoall(std::vector(one_more)); }), MPI_ERR_COUNT,
               "ialltoall's error");
  expect_equal(class_of([&] { return world().reduce_scatter_block(one_more, std::plus{}); }), MPI_ERR_COUNT,
               "reduce_scatter_block's error");
}

}  // namespace

int main() {
  return conformance::run({
      {"equal parts are gathered", equal_parts_are_gathered},
      {"blocks of any length are gathered", blocks_of_any_length_are_gathered},
      {"parts of the root's are scattered", parts_of_the_roots_are_scattered},
      {"all exchange parts and blocks", all_exchange_parts_and_blocks},
      {"each rank is sent another type", each_rank_is_sent_another_type},
      {"reductions have results where there are some", reductions_have_results_where_there_are_some},
      {"reductions leave each rank its part", reductions_leave_each_rank_its_part},
      {"operations may have state", operations_may_have_state},
      {"lengths that do not fit are errors", lengths_that_do_not_fit_are_errors},
  });
}
