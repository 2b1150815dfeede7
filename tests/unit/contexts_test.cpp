// Context numbers: who may draw which, and what happens when they run out.
#include "service/contexts.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/rng.hpp"

namespace antiphon::service {
namespace {

using objects::ContextLease;
using objects::ContextSet;

TEST(ContextSet, KnowsWhatIsInItAcrossPages) {
  ContextSet set;
  std::set<std::uint32_t> expected;
  base::Rng rng(1);
  for (int round = 0; round < 20'000; ++round) {
    const std::uint32_t context = (rng.below(5u) * 1'000'000u + rng.below(100u));
    ASSERT_EQ(set.contains(context), expected.contains(context));
    if (expected.erase(context) != 0) {
      set.erase(context);
    } else {
      set.insert(context);
      expected.insert(context);
    }
    ASSERT_EQ(set.size(), expected.size());
  }
}

TEST(ContextLease, GivesItsNumberBackWhenItEnds) {
  ContextSet set;
  {
    ContextLease lease(set, 16);
    ContextLease moved = std::move(lease);
    EXPECT_TRUE(set.contains(16));
    ContextLease other(set, 20);
    other = std::move(moved);
    EXPECT_EQ(other.context(), 16u);
  }
  EXPECT_EQ(set.size(), 0u);
}

TEST(Contexts, OfTwoProcessesNeverMeet) {
  constexpr int kProcesses = 3;
  std::set<std::uint32_t> seen;
  for (int self = 0; self < kProcesses; ++self) {
    Contexts contexts(self, kProcesses);
    for (int i = 0; i < 1000; ++i) {
      const Contexts::Drawn drawn = contexts.draw();
      EXPECT_TRUE(drawn.fresh);
      EXPECT_GE(drawn.lease.context(), objects::kFirstFreeContext);
      EXPECT_LT(drawn.lease.context(), objects::MessageSpace::kContexts / 2);
      EXPECT_TRUE(seen.insert(drawn.lease.context()).second);
    }
  }
}

TEST(Contexts, StaysInItsHalfForTheLastOfManyProcesses) {
  constexpr int kMany = 1'000'000;
  Contexts contexts(kMany - 1, kMany);
  EXPECT_LT(contexts.draw().lease.context(), objects::MessageSpace::kContexts / 2);
}

TEST(Contexts, AreFreshAgainWhenGivenBackUntouched) {
  Contexts contexts(0, 1, 4);
  Contexts::Drawn drawn = contexts.draw();
  const std::uint32_t number = drawn.lease.context();
  contexts.give_back(std::move(drawn));
  const Contexts::Drawn again = contexts.draw();
  EXPECT_EQ(again.lease.context(), number);
  EXPECT_TRUE(again.fresh);
}

TEST(Contexts, ComeBackFromTheBeginningButNotWhileInUse) {
  Contexts contexts(0, 1, 3);
  const Contexts::Drawn first = contexts.draw();
  std::uint32_t second = 0;
  {
    const Contexts::Drawn drawn = contexts.draw();
    second = drawn.lease.context();
  }
  const Contexts::Drawn third = contexts.draw();
  const Contexts::Drawn fourth = contexts.draw();
  EXPECT_EQ(fourth.lease.context(), second);
  EXPECT_FALSE(fourth.fresh);
  const Contexts::Drawn none = contexts.draw();
  EXPECT_EQ(none.lease.context(), Contexts::kNone);
  EXPECT_EQ(contexts.alive(), 3u);
}

}  // namespace
}  // namespace antiphon::service
