// A seed is worth printing only if it replays.
#include <gtest/gtest.h>

#include "traffic.hpp"

namespace antiphon::sim {
namespace {

TEST(Replay, TheSameSeedGivesTheSameTrace) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Trace once = run_traffic(seed).trace;
    const Trace again = run_traffic(seed).trace;
    ASSERT_FALSE(once.empty());
    ASSERT_EQ(once == again, true) << "seed " << seed << "\n" << to_string(once) << "---\n" << to_string(again);
  }
}

TEST(Replay, AnotherSeedGivesAnotherTrace) { EXPECT_NE(run_traffic(1).trace == run_traffic(2).trace, true); }

}  // namespace
}  // namespace antiphon::sim
