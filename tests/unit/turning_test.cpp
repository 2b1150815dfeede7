#include "base/turning.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace antiphon::base {
namespace {

constexpr std::size_t kLeast = Turning::kLeast, kPiece = Turning::kPiece;

// No byte of it is touched.
const std::byte* at(std::uintptr_t address) { return reinterpret_cast<const std::byte*>(address); }
const std::byte* const kPage = at(std::uintptr_t{1} << 30);

struct Moved {
  std::size_t first;
  std::size_t count;
  bool operator==(const Moved&) const = default;
};
using Moves = std::vector<Moved>;

Moves pass(Turning& turning, const std::byte* start, std::size_t count, std::size_t unit = 1) {
  Moves moves;
  turning.pass(start, count, unit, [&](std::size_t first, std::size_t some) { moves.push_back({first, some}); });
  return moves;
}

TEST(Turning, GoesThereAndBack) {
  Turning turning;
  const Moves forwards = {{0, kLeast}},
              backwards = {{3 * kPiece, kPiece}, {2 * kPiece, kPiece}, {kPiece, kPiece}, {0, kPiece}};
  static_assert(kLeast == 4 * kPiece);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(pass(turning, kPage, kLeast), forwards);
    EXPECT_EQ(pass(turning, kPage, kLeast), backwards);
  }
}

TEST(Turning, GoesForwardsOverOtherMemory) {
  Turning turning;
  for (int i = 0; i < 3; ++i)
    for (const std::byte* start : {kPage, kPage + 2 * kLeast, kPage + 1})
      EXPECT_EQ(pass(turning, start, kLeast), Moves({{0, kLeast}}));
}

TEST(Turning, KnowsWhereItEndedWhateverWasShort) {
  Turning turning;
  EXPECT_EQ(pass(turning, kPage, kLeast).size(), 1U);
  EXPECT_EQ(pass(turning, kPage, 0), Moves({{0, 0}}));
  EXPECT_EQ(pass(turning, kPage, kLeast - 1), Moves({{0, kLeast - 1}}));
  EXPECT_EQ(pass(turning, kPage, kLeast).size(), 4U);
}

TEST(Turning, DoesNotTurnWhereItIsTooLong) {
  Turning turning;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pass(turning, kPage, Turning::kTooLong), Moves({{0, Turning::kTooLong}}));
}

TEST(Turning, TakesEachUnitOnceWhereverItBegins) {
  for (const std::size_t unit : {1, 4, 8, 12, 16, 24, 64})
    for (const std::size_t before : {0, 1, 8, 60, 64, 4032, 4095})
      for (const std::size_t more : {0, 1, 7, 300, 5000}) {
        Turning turning;
        const std::byte* const start = kPage + before;
        const std::size_t count = (kLeast + unit - 1) / unit + more;
        EXPECT_EQ(pass(turning, start, count, unit), Moves({{0, count}}));
        const Moves back = pass(turning, start, count, unit);
        EXPECT_GT(back.size(), 3U);
        std::size_t end = count;
        for (const Moved& piece : back) {
          EXPECT_NE(piece.count, 0U);
          EXPECT_EQ(piece.first + piece.count, end);
          EXPECT_LT(piece.count * unit, kPiece + unit);
          EXPECT_TRUE(piece.first == 0 || -(before + piece.first * unit) % kPiece < unit);
          end = piece.first;
        }
        EXPECT_EQ(end, 0U);
      }
}

}  // namespace
}  // namespace antiphon::base
