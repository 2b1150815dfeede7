// How long payloads of a ring are written: as their reader advises, who hears what writing and reading cost.
#include "transport/shm/long_payloads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace antiphon::transport::shm {
namespace {

constexpr std::size_t kBytes = base::kLeastPastCaches;

TEST(LongPayloads, AreWrittenAsAdvisedButForTwoTrials) {
  LongPayloadWriting writing;
  const std::atomic advised = Written::past_caches;
  int as_ever = 0, timed = 0;
  for (int i = 0; i < 1024; ++i) {
    const auto style = writing.next(kBytes, advised);
    as_ever += style.how == Written::as_ever ? 1 : 0;
    timed += style.is_timed ? 1 : 0;
  }
  EXPECT_EQ(as_ever, 2);
  EXPECT_GE(timed, 2 + 1024 / 32 - 1);
}

TEST(LongPayloads, AreWrittenInOneWayWhereThatIsFixed) {
  LongPayloadWriting writing(Written::past_caches);
  const std::atomic advised = Written::as_ever;
  for (int i = 0; i < 1024; ++i) {
    const auto style = writing.next(kBytes, advised);
    EXPECT_EQ(style.how, Written::past_caches);
    EXPECT_FALSE(style.is_timed);
  }
  EXPECT_EQ(writing.next(kBytes - 1, advised).how, Written::as_ever) << "it is short";
}

TEST(LongPayloads, ArriveWhole) {
  for (const Written how : {Written::as_ever, Written::past_caches})
    for (const bool is_timed : {false, true})
      for (const std::size_t bytes : {kBytes, kBytes + 1, kBytes + 17}) {
        std::vector<std::byte> from(bytes), to(bytes + 1, std::byte{0x5a});
        for (std::size_t i = 0; i < bytes; ++i) from[i] = static_cast<std::byte>(i * 7);
        const Made made = LongPayloadWriting::write(to.data(), from, {how, is_timed});
        EXPECT_EQ(made.how, how);
        EXPECT_EQ(made.cost != 0, is_timed);
        EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin()));
        EXPECT_EQ(to.back(), std::byte{0x5a});
      }
}

// What they cost the writer is said, what they cost the reader is time that passes.
TEST(LongPayloads, AreAdvisedToBeWrittenInTheWayThatCostsBothSidesLess) {
  LongPayloadReading reading;
  std::atomic advised = Written::as_ever;
  const auto read = [&](Written how, std::uint16_t cost, std::chrono::microseconds takes) {
    EXPECT_TRUE(reading.read({how, cost}, kBytes, advised, [&] {
      const auto end = std::chrono::steady_clock::now() + takes;
      while (std::chrono::steady_clock::now() < end) continue;
      return true;
    }));
  };
  using std::chrono_literals::operator""us;
  for (int i = 0; i < 2; ++i) read(Written::as_ever, 1, 100us);
  EXPECT_EQ(advised, Written::as_ever) << "nothing else is known";
  for (int i = 0; i < 2; ++i) read(Written::past_caches, 10, 0us);
  EXPECT_EQ(advised, Written::past_caches);
  for (int i = 0; i < 2; ++i) read(Written::past_caches, UINT16_MAX, 0us);
  EXPECT_EQ(advised, Written::as_ever);
}

TEST(LongPayloads, ThatAreRefusedTeachNothing) {
  LongPayloadReading reading;
  std::atomic advised = Written::as_ever;
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(reading.read({Written::as_ever, 30'000}, kBytes, advised, [] { return false; }));
    EXPECT_FALSE(reading.read({Written::past_caches, 1}, kBytes, advised, [] { return false; }));
  }
  EXPECT_EQ(advised, Written::as_ever);
}

}  // namespace
}  // namespace antiphon::transport::shm
