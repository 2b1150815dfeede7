#include "engine/rma/applied_ops.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/rng.hpp"

namespace antiphon::rma {
namespace {

constexpr const char kSum[] = "MPI_SUM", kProduct[] = "MPI_PROD";

TEST(AppliedOps, AreFoundWhereAnotherIsAppliedToSomeOfTheSameBytes) {
  AppliedOps applied;
  EXPECT_EQ(applied.other_than(kSum, 0, 100), nullptr);
  applied.note(kSum, 16, 32);
  EXPECT_EQ(applied.other_than(kSum, 0, 100), nullptr);
  EXPECT_EQ(applied.other_than(kProduct, 0, 16), nullptr);
  EXPECT_EQ(applied.other_than(kProduct, 32, 40), nullptr);
  for (const auto& [begin, end] : {std::pair{0, 17}, {16, 32}, {20, 24}, {31, 100}, {0, 100}})
    EXPECT_EQ(applied.other_than(kProduct, static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end)), kSum);
}

// A compiler may keep equal names in several places.
TEST(AppliedOps, AreKnownByTheirNamesWhereverThoseAre) {
  const std::string another_sum = kSum;
  AppliedOps applied;
  applied.note(kSum, 0, 8);
  EXPECT_EQ(applied.other_than(another_sum.c_str(), 0, 8), nullptr);
}

TEST(AppliedOps, AreThoseOfEachByte) {
  constexpr std::uint64_t kBytes = 64;
  base::Rng rng(5);
  for (int round = 0; round < 200; ++round) {
    AppliedOps applied;
    std::array<const char*, kBytes> expected{};
    for (int step = 0; step < 30; ++step) {
      const std::uint64_t begin = rng.below(kBytes), end = begin + 1 + rng.below(kBytes - begin);
      const char* const op = rng.percent(50) ? kSum : kProduct;
      const char* other = nullptr;
      for (std::uint64_t i = begin; i < end && !other; ++i)
        if (expected[i] != op) other = expected[i];
      ASSERT_EQ(applied.other_than(op, begin, end), other);
      if (other) continue;
      applied.note(op, begin, end);
      for (std::uint64_t i = begin; i < end; ++i) expected[i] = op;
    }
  }
}

}  // namespace
}  // namespace antiphon::rma
