// What is advised of two ways: what they cost is what the test says.
#include "base/preference.hpp"

#include <gtest/gtest.h>

namespace antiphon::base {
namespace {

enum class Way : std::uint8_t { usual, other };

// Somebody takes advice at once, but for trials, and each time learns from it.
class Taking : public testing::Test {
 protected:
  void take(int times) {
    for (int i = 0; i < times; ++i) {
      const Occasion occasion = Occasion::of(number_++);
      const Way advised = preference_.advice();
      const Way way = occasion.is_trial ? Preference<Way>::other(advised) : advised;
      trials_ += occasion.is_trial ? 1 : 0;
      if (occasion.is_timed) preference_.learn(way, way == Way::other ? other_ : usual_);
    }
  }

  std::uint64_t usual_ = 1000, other_ = 3000;
  Preference<Way> preference_;
  std::uint32_t number_ = 0;
  int trials_ = 0;
};

TEST_F(Taking, NothingIsAdvisedBeforeBothAreKnown) {
  usual_ = 30'000;
  take(10);
  EXPECT_EQ(preference_.advice(), Way::usual);
}

TEST_F(Taking, TheFasterIsAdvisedOnceBothHaveBeenTimedTwice) {
  usual_ = 30'000;
  take(64);
  EXPECT_EQ(preference_.advice(), Way::other);
  EXPECT_EQ(trials_, 2);
}

TEST_F(Taking, WhatIsFasterMayChange) {
  take(4096);
  EXPECT_EQ(preference_.advice(), Way::usual);
  usual_ = 30'000;
  take(2048);
  EXPECT_EQ(preference_.advice(), Way::other);
  usual_ = 1000;
  take(2048);
  EXPECT_EQ(preference_.advice(), Way::usual);
}

TEST_F(Taking, TrialsOfASlowWayAreFew) {
  take(10 * 1024);
  EXPECT_EQ(trials_, 10 * 2);
}

TEST_F(Taking, OneThatTakesLongChangesNothing) {
  take(2048);
  preference_.learn(Way::usual, 1'000'000);
  EXPECT_EQ(preference_.advice(), Way::usual);
}

TEST_F(Taking, WhatIsAboutTheSameChangesNothing) {
  other_ = 950;
  take(8192);
  EXPECT_EQ(preference_.advice(), Way::usual);
}

}  // namespace
}  // namespace antiphon::base
