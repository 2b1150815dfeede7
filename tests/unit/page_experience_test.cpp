// What a reader of pages advises: what they cost is what the test says.
#include "engine/coll/boards/page_experience.hpp"

#include <gtest/gtest.h>

namespace antiphon::coll {
namespace {

// Pages as a rank writes them that takes advice at once and tries the other way with two of `kFromTrialToTrial`.
class Reading : public testing::Test {
 protected:
  static constexpr int kFromTrialToTrial = 32;

  void read(int pages) {
    for (int i = 0; i < pages; ++i) {
      const bool is_trial = pages_++ % kFromTrialToTrial / 2 == 4;
      const bool past_caches = (experience_.advice() == Written::past_caches) != is_trial;
      const Written how = past_caches ? Written::past_caches : Written::as_ever;
      experience_.learn(how, past_caches ? from_memory_ : from_caches_);
    }
  }

  std::uint64_t from_caches_ = 1000, from_memory_ = 3000;
  PageExperience experience_;
  int pages_ = 0;
};

TEST_F(Reading, NothingIsAdvisedBeforeBothAreKnown) {
  from_caches_ = 30'000;
  read(8);
  EXPECT_EQ(experience_.advice(), Written::as_ever);
}

TEST_F(Reading, TheFasterIsAdvised) {
  read(4 * kFromTrialToTrial);
  EXPECT_EQ(experience_.advice(), Written::as_ever);
  from_caches_ = 30'000;
  read(2 * kFromTrialToTrial);
  EXPECT_EQ(experience_.advice(), Written::past_caches);
  from_caches_ = 1000;
  read(2 * kFromTrialToTrial);
  EXPECT_EQ(experience_.advice(), Written::as_ever);
}

TEST_F(Reading, OnePageThatTakesLongChangesNothing) {
  read(2 * kFromTrialToTrial);
  experience_.learn(Written::as_ever, 1'000'000);
  EXPECT_EQ(experience_.advice(), Written::as_ever);
}

TEST_F(Reading, WhatIsAboutTheSameChangesNothing) {
  from_memory_ = 950;
  read(8 * kFromTrialToTrial);
  EXPECT_EQ(experience_.advice(), Written::as_ever);
}

}  // namespace
}  // namespace antiphon::coll
