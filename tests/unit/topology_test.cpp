// Grids, and how processes are spread over their dimensions.
#include "objects/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "abi/constants.hpp"
#include "objects/dims.hpp"

namespace antiphon::objects {
namespace {

const Cart kGrid{.dims = {4, 3, 5}, .periodic = {true, false, true}};

TEST(Cart, CountsInRowMajorOrder) {
  EXPECT_EQ(kGrid.size(), 60);
  EXPECT_EQ(kGrid.coords_of(0), (std::vector{0, 0, 0}));
  EXPECT_EQ(kGrid.coords_of(1), (std::vector{0, 0, 1}));
  EXPECT_EQ(kGrid.coords_of(59), (std::vector{3, 2, 4}));
  for (int rank = 0; rank < kGrid.size(); ++rank) EXPECT_EQ(kGrid.rank_of(kGrid.coords_of(rank)), rank);
}

TEST(Cart, WrapsAroundOnlyWhereItIsPeriodic) {
  EXPECT_EQ(kGrid.neighbor(0, 0, -1), kGrid.rank_of({3, 0, 0}));
  EXPECT_EQ(kGrid.neighbor(0, 1, -1), abi::PROC_NULL);
  EXPECT_EQ(kGrid.neighbor(0, 1, 2), kGrid.rank_of({0, 2, 0}));
  EXPECT_EQ(kGrid.neighbor(0, 1, 3), abi::PROC_NULL);
  EXPECT_EQ(kGrid.neighbor(0, 2, 1'000'000'001), kGrid.rank_of({0, 0, 1}));
  EXPECT_EQ(kGrid.neighbor(7, 2, -long{INT32_MIN}), kGrid.rank_of({0, 1, (2 + 3) % 5}));
}

TEST(Cart, OfNoDimensionsHasOneProcess) {
  const Cart point;
  EXPECT_EQ(point.size(), 1);
  EXPECT_EQ(point.rank_of({}), 0);
  EXPECT_TRUE(point.coords_of(0).empty());
}

// The least difference between largest and smallest factor that any factorization has.
int least_spread(int nodes, int count) {
  int best = INT32_MAX;
  const std::function<void(int, int, int, int)> choose = [&](int rest, int left, int first, int last) {
    if (left == 0) {
      if (rest == 1) best = std::min(best, last - first);
      return;
    }
    for (int factor = last; factor <= rest; ++factor)
      if (rest % factor == 0) choose(rest / factor, left - 1, first == 0 ? factor : first, factor);
  };
  choose(nodes, count, 0, 1);
  return best;
}

TEST(BalancedDims, AreAsCloseToEachOtherAsPossible) {
  for (int nodes = 1; nodes <= 400; ++nodes)
    for (int count = 1; count <= 5; ++count) {
      const std::vector<int> dims = balanced_dims(nodes, count);
      ASSERT_EQ(static_cast<int>(dims.size()), count);
      ASSERT_TRUE(std::ranges::is_sorted(dims, std::greater{}));
      ASSERT_EQ(std::accumulate(dims.begin(), dims.end(), 1, std::multiplies{}), nodes);
      ASSERT_EQ(dims.front() - dims.back(), least_spread(nodes, count)) << nodes << " in " << count;
    }
}

TEST(BalancedDims, AreFoundAtOnceForNumbersWithManyFactors) {
  EXPECT_EQ(balanced_dims(1'000'000'000, 3), (std::vector{1000, 1000, 1000}));
  EXPECT_EQ(balanced_dims(735'134'400, 3), (std::vector{918, 910, 880}));
  EXPECT_EQ(balanced_dims(2'147'483'647, 2), (std::vector{2'147'483'647, 1}));
  EXPECT_EQ(balanced_dims(1 << 30, 40).size(), 40u);
}

// Of equal spreads, the one whose small factors are larger.
TEST(BalancedDims, PrefersLargerSmallFactors) {
  EXPECT_EQ(balanced_dims(228'072, 3), (std::vector{86, 52, 51}));
  EXPECT_EQ(balanced_dims(712'656, 5), (std::vector{101, 14, 9, 8, 7}));
}

}  // namespace
}  // namespace antiphon::objects
