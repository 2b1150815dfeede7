// How soon the fastest way is taken, whichever it is, and whatever happens meanwhile; time is what the test says.
#include "engine/pt2pt/experience.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace antiphon::pt2pt {
namespace {

class Learning : public testing::Test {
 protected:
  // Of a message on each way.
  std::array<std::uint64_t, kWays> ns_{10'000, 10'000, 10'000, 1};
  std::size_t bytes_ = 100'000;
  unsigned refused_ = 0;  // ways that lead nowhere
  Experience experience_;
  std::uint64_t now_ = 1'000'000;
  const Clock clock_ = [this] { return now_; };

  WayName begin() {
    unsigned refused = 0;
    for (;;) {
      const WayName way = experience_.pick(refused);
      experience_.begun(way, clock_);
      if ((refused_ >> static_cast<unsigned>(way) & 1) == 0) return way;
      experience_.refused(way);
      refused |= 1u << static_cast<unsigned>(way);
    }
  }
  void end(WayName way) {
    now_ += ns_[static_cast<std::size_t>(way)];
    experience_.ended(way, bytes_, clock_);
  }
  WayName message() {
    const WayName way = begin();
    end(way);
    return way;
  }
  // Several under way at once, one after the other.
  void window(int messages) {
    std::vector<WayName> ways;
    for (int i = 0; i < messages; ++i) ways.push_back(begin());
    for (const WayName way : ways) end(way);
  }
  void expect_mostly(WayName way, int messages) {
    int taken = 0;
    for (int i = 0; i < messages; ++i) taken += message() == way ? 1 : 0;
    EXPECT_GE(taken, messages * 3 / 4);
  }
  void expect(WayName way, int messages) {
    for (int i = 0; i < messages; ++i) ASSERT_EQ(message(), way) << "message " << i;
  }
};

constexpr WayName kLearned[] = {WayName::pipes, WayName::streamed_pipes, WayName::direct};
constexpr auto kEvery = static_cast<unsigned>((1 << kWays) - 1);

constexpr unsigned bit(WayName way) { return 1u << static_cast<unsigned>(way); }

TEST_F(Learning, TakesTheFastestWayWithin16Messages) {
  for (const WayName fastest : kLearned) {
    experience_ = {};
    ns_.fill(200'000);
    ns_[static_cast<std::size_t>(fastest)] = 15'000;
    for (int i = 0; i < 15; ++i) message();
    expect(fastest, 100);
  }
}

TEST_F(Learning, LeavesOutWaysThatLeadNowhere) {
  for (const WayName open : {WayName::pipes, WayName::streamed_pipes, WayName::direct, WayName::packets}) {
    experience_ = {};
    refused_ = kEvery & ~bit(open);
    expect(open, 3000);
  }
}

TEST_F(Learning, TakesTheNextBestForAMessageThatTheBestDoesNotTake) {
  ns_ = {200'000, 300'000, 10'000, 1};
  for (int i = 0; i < 15; ++i) message();
  refused_ = bit(WayName::direct);
  expect(WayName::pipes, 100);
  refused_ = kEvery & ~bit(WayName::packets);
  expect(WayName::packets, 100);
  refused_ = 0;
  expect(WayName::direct, 100);
}

TEST_F(Learning, IgnoresThatTheFirstMessagesTakeLong) {
  ns_ = {500'000, 100'000, 200'000, 1};
  message();
  ns_[0] = 5'000;
  for (int i = 0; i < 14; ++i) message();
  expect(WayName::pipes, 100);
}

TEST_F(Learning, PutsAWayRightThatWasSlowWhenItWasNew) {
  ns_ = {100'000, 40'000, 10'000, 1};
  for (int i = 0; i < 15; ++i) message();
  expect(WayName::direct, 10);
  int warmed_by = 0;
  for (int i = 0; i < 2000; ++i) {
    const WayName way = begin();
    if (way == WayName::pipes) ++warmed_by;
    ns_[0] = warmed_by < 15 ? 20'000 : 5'000;
    end(way);
  }
  expect_mostly(WayName::pipes, 1000);
}

TEST_F(Learning, LearnsFromStreams) {
  ns_ = {200'000, 10'000, 300'000, 1};
  for (int i = 0; i < 9; ++i) window(8);
  expect(WayName::streamed_pipes, 100);
}

TEST_F(Learning, LearnsFromAWindowAWayWhereMessagesAreVeryLong) {
  bytes_ = 16'000'000;
  ns_ = {2'000'000, 3'000'000, 1'000'000, 1};
  for (int i = 0; i < 3; ++i) window(8);
  expect(WayName::direct, 10);
}

TEST_F(Learning, DoesNotMistakeTimeBetweenMessagesForTheirs) {
  ns_ = {200'000, 10'000, 300'000, 1};
  for (unsigned i = 0; i < 15; ++i) {
    message();
    now_ += i * 1'000'000;
  }
  expect(WayName::streamed_pipes, 100);
}

TEST_F(Learning, LeavesAWayAtOnceThatHasBecomeSlow) {
  ns_ = {10'000, 200'000, 30'000, 1};
  for (int i = 0; i < 15; ++i) message();
  expect(WayName::pipes, 20);
  ns_[0] = 100'000;
  for (int i = 0; i < 30; ++i) message();
  expect_mostly(WayName::direct, 1000);
}

TEST_F(Learning, NoticesWhenAnotherWayHasBecomeTheFastest) {
  ns_ = {10'000, 200'000, 20'000, 1};
  for (int i = 0; i < 15; ++i) message();
  expect(WayName::pipes, 10);
  ns_[2] = 5'000;
  for (int i = 0; i < 20'000; ++i) message();
  expect_mostly(WayName::direct, 1000);
}

TEST_F(Learning, SpendsLittleOnWaysThatAreFarSlower) {
  ns_ = {1'000'000, 10'000, 1'000'000, 1};
  for (int i = 0; i < 15; ++i) message();
  const std::uint64_t began = now_;
  constexpr std::uint64_t kMessages = 1'000'000;
  for (std::uint64_t i = 0; i < kMessages; ++i) message();
  EXPECT_LT(now_ - began, kMessages * 10'000 * 102 / 100);
}

TEST_F(Learning, SpendsLittleOnThemInStreamsToo) {
  ns_ = {30'000, 30'000, 10'000, 1};
  for (int i = 0; i < 50; ++i) window(64);
  const std::uint64_t began = now_;
  constexpr std::uint64_t kWindows = 10'000;
  for (std::uint64_t i = 0; i < kWindows; ++i) window(64);
  EXPECT_LT(now_ - began, kWindows * 64 * 10'000 * 103 / 100);
}

TEST_F(Learning, AdvisesWhileMessagesComeFromThereToo) {
  EXPECT_EQ(experience_.advice(), std::nullopt);
  ns_ = {200'000, 300'000, 10'000, 1};
  for (int i = 0; i < 15; ++i) message();
  EXPECT_EQ(experience_.advice(), WayName::direct);
  for (int i = 0; i < 1000; ++i) (void)experience_.advice();
  EXPECT_EQ(experience_.advice(), std::nullopt);
  message();
  EXPECT_EQ(experience_.advice(), WayName::direct);
}

TEST_F(Learning, BeginsWithWhatMessagesFromAnotherProcessHaveTaught) {
  Experiences all;
  experience_ = {};
  ns_ = {200'000, 300'000, 10'000, 1};
  Experience& first = all.of(1, bytes_, Experiences::Shape::one_piece);
  for (int i = 0; i < 15; ++i) message();
  first = experience_;
  EXPECT_EQ(all.of(2, bytes_, Experiences::Shape::one_piece).pick(0), WayName::direct);
}

TEST_F(Learning, KeepsProcessesAndRangesOfSizesApart) {
  Experiences all;
  const auto of = [&all](std::size_t bytes) { return &all.of(0, bytes, Experiences::Shape::one_piece); };
  EXPECT_EQ(of(70'000), of(130'000));
  EXPECT_NE(of(70'000), of(140'000));
  EXPECT_NE(of(70'000), &all.of(1, 70'000, Experiences::Shape::one_piece));
  EXPECT_NE(of(70'000), &all.of(0, 70'000, Experiences::Shape::scattered));
  EXPECT_NE(of(0), of(SIZE_MAX));
}

}  // namespace
}  // namespace antiphon::pt2pt
