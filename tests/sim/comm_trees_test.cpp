// Communicators that are made from each other in every way, used and freed in random order, seed after seed.
#include "comm_trees.hpp"

#include <gtest/gtest.h>

#include "seeds.hpp"

namespace antiphon::sim {
namespace {

TEST(CommTrees, HaveTheMembersTheyShouldAndLeaveNothingBehind) {
  const auto [first, last] = seeds(1000, "ANTIPHON_SIM_TREES");
  CommVerdict all;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const CommVerdict verdict = run_comm_trees(seed);
    ASSERT_EQ(verdict.complaint, "") << "replay with: ANTIPHON_SIM_SEED=" << seed
                                     << " bin/sim_test --gtest_filter=CommTrees.*";
    all.communicators += verdict.communicators;
    all.messages += verdict.messages;
    all.reused += verdict.reused;
  }
  RecordProperty("communicators", std::to_string(all.communicators));
  RecordProperty("messages", std::to_string(all.messages));
  RecordProperty("reused_contexts", std::to_string(all.reused));
  EXPECT_GT(all.messages, 0u);
  EXPECT_GT(all.communicators, 0u);
}

}  // namespace
}  // namespace antiphon::sim
