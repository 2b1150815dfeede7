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
  std::array<std::uint64_t, kWays> ns_{10'000, 10'000, 10'000};
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
  void expect(WayName way, int messages) {
    for (int i = 0; i < messages; ++i) ASSERT_EQ(message(), way) << "message " << i;
  }
};

constexpr WayName kAll[] = {WayName::pipes, WayName::direct, WayName::packets};

TEST_F(Learning, TakesTheFastestWayWithin16Messages) {
  for (const WayName fastest : kAll) {
    experience_ = {};
    ns_.fill(20'000);
    ns_[static_cast<std::size_t>(fastest)] = 15'000;
    for (int i = 0; i < 15; ++i) message();
    expect(fastest, 900);
  }
}

TEST_F(Learning, LeavesOutWaysThatLeadNowhere) {
  for (const WayName open : kAll) {
    experience_ = {};
    refused_ = 7u & ~(1u << static_cast<unsigned>(open));
    expect(open, 3000);
  }
}

TEST_F(Learning, TakesTheNextBestForAMessageThatTheBestDoesNotTake) {
  ns_ = {30'000, 10'000, 20'000};
  for (int i = 0; i < 15; ++i) message();
  refused_ = 1u << static_cast<unsigned>(WayName::direct);
  expect(WayName::packets, 100);
  refused_ = 0;
  expect(WayName::direct, 100);
}

TEST_F(Learning, IgnoresThatTheFirstMessagesTakeLong) {
  ns_ = {500'000, 10'000, 20'000};
  message();
  ns_[0] = 5'000;
  for (int i = 0; i < 14; ++i) message();
  expect(WayName::pipes, 900);
}

TEST_F(Learning, LearnsFromStreams) {
  ns_ = {20'000, 30'000, 10'000};
  for (int i = 0; i < 9; ++i) window(8);
  expect(WayName::packets, 100);
}

TEST_F(Learning, LearnsFromAWindowAWayWhereMessagesAreVeryLong) {
  bytes_ = 16'000'000;
  ns_ = {2'000'000, 3'000'000, 1'000'000};
  for (int i = 0; i < 3; ++i) window(8);
  expect(WayName::packets, 100);
}

TEST_F(Learning, DoesNotMistakeTimeBetweenMessagesForTheirs) {
  ns_ = {20'000, 10'000, 30'000};
  for (int i = 0; i < 15; ++i) {
    message();
    now_ += i * 1'000'000;
  }
  expect(WayName::direct, 100);
}

TEST_F(Learning, NoticesWhenAnotherWayHasBecomeTheFastest) {
  ns_ = {10'000, 20'000, 30'000};
  for (int i = 0; i < 15; ++i) message();
  expect(WayName::pipes, 100);
  ns_ = {40'000, 20'000, 30'000};
  for (int i = 0; i < 1024; ++i) message();
  expect(WayName::direct, 900);
}

TEST_F(Learning, SpendsLittleOnWaysThatAreFarSlower) {
  ns_ = {1'000'000, 10'000, 1'000'000};
  for (int i = 0; i < 15; ++i) message();
  const std::uint64_t began = now_;
  for (int i = 0; i < 100'000; ++i) message();
  EXPECT_LT(now_ - began, std::uint64_t{100'000} * 10'000 * 102 / 100);
}

TEST_F(Learning, KeepsRangesOfSizesApart) {
  Experiences all;
  EXPECT_EQ(&all.of(70'000, Experiences::Shape::one_piece), &all.of(130'000, Experiences::Shape::one_piece));
  EXPECT_NE(&all.of(70'000, Experiences::Shape::one_piece), &all.of(140'000, Experiences::Shape::one_piece));
  EXPECT_NE(&all.of(70'000, Experiences::Shape::one_piece), &all.of(70'000, Experiences::Shape::scattered));
  EXPECT_NE(&all.of(0, Experiences::Shape::one_piece), &all.of(SIZE_MAX, Experiences::Shape::one_piece));
}

}  // namespace
}  // namespace antiphon::pt2pt
