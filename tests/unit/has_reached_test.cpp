#include "base/has_reached.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace antiphon::base {
namespace {

template <class Count>
class HasReached : public testing::Test {};
using Counts = testing::Types<std::uint8_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(HasReached, Counts);

TYPED_TEST(HasReached, ComparesNumbersThatOverflowBetweenTheTwo) {
  constexpr TypeParam kLast = static_cast<TypeParam>(-1);
  for (const TypeParam start : {TypeParam{0}, TypeParam{100}, kLast}) {
    const auto after = [&](int by) { return static_cast<TypeParam>(start + static_cast<TypeParam>(by)); };
    EXPECT_TRUE(has_reached(start, start));
    for (const int by : {1, 2, 100}) {
      EXPECT_TRUE(has_reached(after(by), start)) << by << " after " << +start;
      EXPECT_FALSE(has_reached(start, after(by))) << by << " after " << +start;
    }
  }
}

TYPED_TEST(HasReached, TakesWhatIsLessThanHalfOfAllNumbersAheadForAhead) {
  constexpr TypeParam kMost = static_cast<TypeParam>(-1) / 2;
  EXPECT_TRUE(has_reached(kMost, TypeParam{0}));
  EXPECT_FALSE(has_reached(static_cast<TypeParam>(kMost + 1), TypeParam{0}));
}

}  // namespace
}  // namespace antiphon::base
