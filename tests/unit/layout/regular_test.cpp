// What another process says of a layout, before anybody believes it.
#include "layout/regular.hpp"

#include <gtest/gtest.h>

namespace antiphon::layout {
namespace {

TEST(Regular, CountsTheBytesThatItDescribes) {
  const Regular layout{.displacement = -8, .block = 4, .loops = {{{3, 100}, {2, -16}}}};
  EXPECT_EQ(layout.bytes(), 24u);
  EXPECT_EQ(layout.low(), -24);
  EXPECT_EQ(layout.high(), 196);
}

TEST(Regular, DescribesNothingWithoutBytesOrBeyondAnAddressSpace) {
  constexpr std::int64_t kMost = INT64_MAX;
  const Regular bad[] = {{.displacement = 0, .block = 0},
                         {.displacement = 0, .block = -1},
                         {.displacement = kMost, .block = 1},
                         {.displacement = 0, .block = 1, .loops = {{{0, 1}}}},
                         {.displacement = 0, .block = 1, .loops = {{{-5, 1}}}},
                         {.displacement = 0, .block = 2, .loops = {{{kMost, 0}}}},
                         {.displacement = 0, .block = 1, .loops = {{{3, kMost}}}},
                         {.displacement = 0, .block = 1, .loops = {{{2, INT64_MIN}, {2, INT64_MIN}}}},
                         {.displacement = 0, .block = 1, .loops = {{{2, kMost - 5}, {2, -kMost}}}}};
  for (const Regular& layout : bad) EXPECT_FALSE(layout.bytes()) << &layout - bad;
}

}  // namespace
}  // namespace antiphon::layout
