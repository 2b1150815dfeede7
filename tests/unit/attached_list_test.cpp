// What others are told of the memory that is attached to a dynamic window.
#include "engine/rma/attached_list.hpp"

#include <gtest/gtest.h>

#include <map>

namespace antiphon::rma {
namespace {

using Attached = std::map<std::uint64_t, std::uint64_t>;

TEST(AttachedList, CoversWhatLiesInPiecesOneAfterTheOther) {
  AttachedList list{};
  EXPECT_FALSE(list.covers(100, 1));
  list.tell({{100, 50}, {150, 10}, {200, 10}});
  EXPECT_TRUE(list.covers(100, 50));
  EXPECT_TRUE(list.covers(149, 11));
  EXPECT_TRUE(list.covers(200, 10));
  EXPECT_FALSE(list.covers(99, 2));
  EXPECT_FALSE(list.covers(149, 12));
  EXPECT_FALSE(list.covers(150, 60));
  EXPECT_FALSE(list.covers(170, 5));
  EXPECT_FALSE(list.covers(210, 1));
  list.tell({{200, 10}});
  EXPECT_FALSE(list.covers(100, 1));
  EXPECT_TRUE(list.covers(205, 5));
}

TEST(AttachedList, ForgetsWhatItHasNoRoomFor) {
  AttachedList list{};
  Attached many;
  for (std::uint64_t piece = 1; piece <= 1000; ++piece) many[piece * 100] = 50;
  list.tell(many);
  EXPECT_TRUE(list.covers(100, 50));
  EXPECT_FALSE(list.covers(100'000, 50));
  list.tell({{100'000, 50}});
  EXPECT_TRUE(list.covers(100'000, 50));
}

}  // namespace
}  // namespace antiphon::rma
