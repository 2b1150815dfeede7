#include "base/last_pass.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace antiphon::base {
namespace {

constexpr std::size_t kLeast = LastPass::kLeast, kKept = LastPass::kKept, kLine = kCacheLine;

// No byte of it is touched.
const std::byte* const kMemory = reinterpret_cast<const std::byte*>(std::uintptr_t{1} << 30);

struct Moved {
  std::size_t first;
  std::size_t count;
  bool operator==(const Moved&) const = default;
};
using Moves = std::vector<Moved>;

Moves next(LastPass& last, const std::byte* start, std::size_t bytes) {
  Moves moves;
  last.next(start, bytes, [&](std::size_t first, std::size_t some) { moves.push_back({first, some}); });
  return moves;
}

TEST(LastPass, IsFollowedByOneThatBeginsWhereItEnded) {
  LastPass last;
  constexpr std::size_t kLength = 2 * kLeast;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(next(last, kMemory, kLength), Moves({{0, kLength}}));
    for (std::size_t first = kLength - kKept;; first -= kKept) {
      EXPECT_EQ(next(last, kMemory, kLength), Moves({{first, kLength - first}, {0, first}}));
      if (first <= kKept + kLine) break;
    }
  }
}

TEST(LastPass, DoesNotMatterToOtherMemory) {
  LastPass last;
  for (int i = 0; i < 3; ++i)
    for (const std::byte* start : {kMemory, kMemory + kLeast, kMemory + 5 * kLeast})
      EXPECT_EQ(next(last, start, kLeast), Moves({{0, kLeast}}));
}

TEST(LastPass, IsNoneThatIsShortOrTooLong) {
  LastPass last;
  for (const std::size_t length : {std::size_t{0}, kLeast - 1, LastPass::kTooLong})
    for (int i = 0; i < 3; ++i) EXPECT_EQ(next(last, kMemory, length), Moves({{0, length}}));
  EXPECT_EQ(next(last, kMemory, kLeast).size(), 1U);
  EXPECT_EQ(next(last, kMemory, kLeast - 1).size(), 1U);
  EXPECT_EQ(next(last, kMemory, LastPass::kTooLong).size(), 1U);
  EXPECT_EQ(next(last, kMemory, kLeast).size(), 2U);
}

TEST(LastPass, IsOverEachByteOnceWhereverItBegins) {
  int in_two = 0;
  for (const std::size_t before : {0U, 1U, 8U, 60U, 64U, 4095U})
    for (const std::size_t more : {0U, 1U, 7U, 300U, 5000U}) {
      LastPass last;
      const std::byte* const start = kMemory + before;
      const std::size_t bytes = kLeast + more;
      for (int i = 0; i < 9; ++i) {
        const Moves moves = next(last, start, bytes);
        const std::size_t first = moves.front().first;
        EXPECT_EQ(first + moves.front().count, bytes);
        if (first == 0) {
          EXPECT_EQ(moves.size(), 1U);
          continue;
        }
        ++in_two;
        EXPECT_EQ(moves, Moves({{first, bytes - first}, {0, first}}));
        EXPECT_GE(moves.front().count, kKept);
        EXPECT_EQ((before + first) % kLine, 0U);
      }
    }
  EXPECT_GT(in_two, 100);
}

}  // namespace
}  // namespace antiphon::base
