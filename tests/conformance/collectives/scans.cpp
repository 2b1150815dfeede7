// Scans and scattered reductions against the same computed serially: MPI 5.0, 6.10 and 6.11. By an operation that
// commutes and one that does not; in place and not; shares of any lengths.
#include <numeric>
#include <vector>

#include "collectives/affine.hpp"

using namespace conformance;

namespace {

constexpr int kCounts[] = {0, 1, 3, 100, 5'000};

long number(int of_rank, int i) { return of_rank * 1000L + i % 997; }

// Of the ranks from `first` to before `last`.
long sum(int first, int last, int i) {
  long all = 0;
  for (int rank = first; rank < last; ++rank) all += number(rank, i);
  return all;
}

std::vector<long> numbers(int count, int first = 0) {
  std::vector<long> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = number(rank(), first + i);
  return values;
}

void expect_sums(const std::vector<long>& got, int first, int last, int begin, int count, const std::string& what) {
  for (int i = 0; i < count; ++i)
    if (got[static_cast<std::size_t>(i)] != sum(first, last, begin + i))
      return expect_equal(got[static_cast<std::size_t>(i)], sum(first, last, begin + i),
                          "element " + std::to_string(i) + " of " + std::to_string(count) + " of " + what);
}
void expect_composed(const Maps& got, int first, int last, int begin, int count, const std::string& what) {
  for (int i = 0; i < count; ++i)
    if (!(got.at(i) == composed(first, last, begin + i))) return fail(what + " is out of order", Where::current());
  expect(got.gaps_untouched(), what + " wrote where the type has gaps");
}

void a_scan_gives_each_rank_what_it_and_those_before_it_have() {
  for (const int count : kCounts) {
    std::vector<long> mine = numbers(count), result(mine.size(), -1);
    expect_error(MPI_Scan(mine.data(), result.data(), count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS,
                 "MPI_Scan");
    expect_sums(result, 0, rank() + 1, 0, count, "MPI_Scan");
    expect(mine == numbers(count), "MPI_Scan changed what was to be reduced");
    MPI_Scan_c(MPI_IN_PLACE, mine.data(), count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    expect_sums(mine, 0, rank() + 1, 0, count, "MPI_Scan_c in place");

    const Composing composing;
    Maps maps(count, rank()), composition(count);
    MPI_Scan(maps.data(), composition.data(), count, composing.type, composing.op, MPI_COMM_WORLD);
    expect_composed(composition, 0, rank() + 1, 0, count, "MPI_Scan");
    expect(maps.are_drawn(rank()), "MPI_Scan changed what was to be composed");
    MPI_Scan(MPI_IN_PLACE, maps.data(), count, composing.type, composing.op, MPI_COMM_WORLD);
    expect_composed(maps, 0, rank() + 1, 0, count, "MPI_Scan in place");
  }
}

void an_exclusive_scan_leaves_a_rank_itself_out() {
  for (const int count : kCounts) {
    std::vector<long> mine = numbers(count), result(mine.size(), -1);
    long* const place = rank() == 0 ? nullptr : result.data();  // what matters to rank 0 is only what it gives
    expect_error(MPI_Exscan(mine.data(), place, count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Exscan");
    if (rank() > 0) expect_sums(result, 0, rank(), 0, count, "MPI_Exscan");
    expect(mine == numbers(count), "MPI_Exscan changed what was to be reduced");
    MPI_Exscan_c(MPI_IN_PLACE, mine.data(), count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank() > 0) expect_sums(mine, 0, rank(), 0, count, "MPI_Exscan_c in place");

    const Composing composing;
    Maps maps(count, rank()), composition(count);
    MPI_Exscan(maps.data(), composition.data(), count, composing.type, composing.op, MPI_COMM_WORLD);
    if (rank() > 0)
      expect_composed(composition, 0, rank(), 0, count, "MPI_Exscan");
    else
      expect(composition.untouched(), "MPI_Exscan gave something to rank 0");
    MPI_Exscan(MPI_IN_PLACE, maps.data(), count, composing.type, composing.op, MPI_COMM_WORLD);
    if (rank() > 0) expect_composed(maps, 0, rank(), 0, count, "MPI_Exscan in place");
  }
}

void a_block_of_the_reduction_for_each_rank() {
  for (const int count : kCounts) {
    const int all = count * size(), first = count * rank();
    std::vector<long> mine = numbers(all), result(static_cast<std::size_t>(count), -1);
    expect_error(MPI_Reduce_scatter_block(mine.data(), result.data(), count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD),
                 MPI_SUCCESS, "MPI_Reduce_scatter_block");
    expect_sums(result, 0, size(), first, count, "MPI_Reduce_scatter_block");
    expect(mine == numbers(all), "MPI_Reduce_scatter_block changed what was to be reduced");
    MPI_Reduce_scatter_block_c(MPI_IN_PLACE, mine.data(), count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    expect_sums(mine, 0, size(), first, count, "MPI_Reduce_scatter_block_c in place");

    const Composing composing;
    Maps maps(all, rank()), composition(count);
    MPI_Reduce_scatter_block(maps.data(), composition.data(), count, composing.type, composing.op, MPI_COMM_WORLD);
    expect_composed(composition, 0, size(), first, count, "MPI_Reduce_scatter_block");
    MPI_Reduce_scatter_block(MPI_IN_PLACE, maps.data(), count, composing.type, composing.op, MPI_COMM_WORLD);
    expect_composed(maps, 0, size(), first, count, "MPI_Reduce_scatter_block in place");
  }
}

// Shares of every length, some of them empty; and all of it for one rank.
std::vector<int> shares(int kind, int count) {
  std::vector<int> each(static_cast<std::size_t>(size()));
  for (int rank = 0; rank < size(); ++rank)
    each[static_cast<std::size_t>(rank)] = kind < 0 ? rank * 5 % 4 * count : (rank == kind ? count : 0);
  return each;
}

void a_share_of_the_reduction_for_each_rank() {
  for (const int count : kCounts)
    for (int kind = -1; kind < size(); ++kind) {
      const std::vector<int> each = shares(kind, count);
      const int all = std::accumulate(each.begin(), each.end(), 0);
      const int first = std::accumulate(each.begin(), each.begin() + rank(), 0);
      const int own = each[static_cast<std::size_t>(rank())];
      std::vector<long> mine = numbers(all), result(static_cast<std::size_t>(own), -1);
      expect_error(MPI_Reduce_scatter(mine.data(), result.data(), each.data(), MPI_LONG, MPI_SUM, MPI_COMM_WORLD),
                   MPI_SUCCESS, "MPI_Reduce_scatter");
      expect_sums(result, 0, size(), first, own, "MPI_Reduce_scatter");
      const std::vector<MPI_Count> wide(each.begin(), each.end());
      MPI_Reduce_scatter_c(MPI_IN_PLACE, mine.data(), wide.data(), MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
      expect_sums(mine, 0, size(), first, own, "MPI_Reduce_scatter_c in place");

      const Composing composing;
      Maps maps(all, rank()), composition(own);
      MPI_Reduce_scatter(maps.data(), composition.data(), each.data(), composing.type, composing.op, MPI_COMM_WORLD);
      expect_composed(composition, 0, size(), first, own, "MPI_Reduce_scatter");
      MPI_Reduce_scatter(MPI_IN_PLACE, maps.data(), each.data(), composing.type, composing.op, MPI_COMM_WORLD);
      expect_composed(maps, 0, size(), first, own, "MPI_Reduce_scatter in place");
    }
}

}  // namespace

int main() {
  return run({{"a scan gives each rank what it and those before it have",
               a_scan_gives_each_rank_what_it_and_those_before_it_have},
              {"an exclusive scan leaves a rank itself out", an_exclusive_scan_leaves_a_rank_itself_out},
              {"a block of the reduction for each rank", a_block_of_the_reduction_for_each_rank},
              {"a share of the reduction for each rank", a_share_of_the_reduction_for_each_rank}});
}
