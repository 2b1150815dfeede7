#include "base/last_pass.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace antiphon::base {
namespace {

constexpr std::size_t kLeast = LastPass::kLeast, kLine = kCacheLine;

// No byte of it is touched.
const std::byte* const kMemory = reinterpret_cast<const std::byte*>(std::uintptr_t{1} << 30);

struct Moved {
  std::size_t first;
  std::size_t count;
  bool operator==(const Moved&) const = default;
};
using Moves = std::vector<Moved>;

Moves next(LastPass& last, const std::byte* start, std::size_t count, std::size_t unit = 1) {
  Moves moves;
  last.next(start, count, unit, [&](std::size_t first, std::size_t some) { moves.push_back({first, some}); });
  return moves;
}

TEST(LastPass, IsFollowedByOneThatBeginsWhereItEnded) {
  LastPass last(3);
  const std::size_t kept = last.kept();
  constexpr std::size_t kLength = 2 * kLeast;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(next(last, kMemory, kLength), Moves({{0, kLength}}));
    for (std::size_t first = kLength - kept;; first -= kept) {
      EXPECT_EQ(next(last, kMemory, kLength), Moves({{first, kLength - first}, {0, first}}));
      if (first <= kept + kLine) break;
    }
  }
}

TEST(LastPass, DoesNotMatterToOtherMemory) {
  LastPass last(2);
  for (int i = 0; i < 3; ++i)
    for (const std::byte* start : {kMemory, kMemory + kLeast, kMemory + 5 * kLeast})
      EXPECT_EQ(next(last, start, kLeast), Moves({{0, kLeast}}));
}

TEST(LastPass, IsNoneThatIsShortOrTooLong) {
  LastPass last(3);
  for (const std::size_t length : {std::size_t{0}, kLeast - 1, LastPass::kTooLong})
    for (int i = 0; i < 3; ++i) EXPECT_EQ(next(last, kMemory, length), Moves({{0, length}}));
  EXPECT_EQ(next(last, kMemory, kLeast).size(), 1U);
  EXPECT_EQ(next(last, kMemory, kLeast - 1).size(), 1U);
  EXPECT_EQ(next(last, kMemory, LastPass::kTooLong).size(), 1U);
  EXPECT_EQ(next(last, kMemory, kLeast).size(), 2U);
}

TEST(LastPass, IsOverEachUnitOnceWhereverItBegins) {
  int in_two = 0;
  for (const std::size_t unit : {1, 4, 8, 12, 16, 24, 64})
    for (const std::size_t before : {0, 1, 8, 60, 64, 4095})
      for (const std::size_t more : {0, 1, 7, 300, 5000}) {
        LastPass last(2);
        const std::byte* const start = kMemory + before;
        const std::size_t count = (kLeast + unit - 1) / unit + more;
        for (int i = 0; i < 9; ++i) {
          const Moves moves = next(last, start, count, unit);
          const std::size_t first = moves.front().first;
          EXPECT_EQ(first + moves.front().count, count);
          if (first == 0) {
            EXPECT_EQ(moves.size(), 1U);
            continue;
          }
          ++in_two;
          EXPECT_EQ(moves, Moves({{first, count - first}, {0, first}}));
          EXPECT_GE(moves.front().count * unit, last.kept());
          EXPECT_LT((kLine - (before + first * unit) % kLine) % kLine, unit);
        }
      }
  EXPECT_GT(in_two, 500);
}

}  // namespace
}  // namespace antiphon::base
