// A system that has memory for a while, and the reserve that steps in.
#include "base/memory_reserve.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <vector>

namespace antiphon::base {
namespace {

// What the system still gives, in bytes, and how often it was asked in vain.
std::size_t has = SIZE_MAX;
int in_vain = 0;

void* of_system(std::size_t bytes, std::size_t) noexcept {
  if (bytes > has) {
    ++in_vain;
    return nullptr;
  }
  has -= has == SIZE_MAX ? 0 : bytes;
  return std::malloc(bytes);
}

// A reserve keeps its pieces for as long as the process runs; one that is asked while the system has nothing gives up
// all of them.
void give_up_pieces(MemoryReserve& reserve) { EXPECT_THROW((void)reserve.allocate(1, 1), std::bad_alloc); }

class MemoryReserveTest : public testing::Test {
 protected:
  MemoryReserveTest() {
    has = SIZE_MAX;
    in_vain = 0;
  }
  ~MemoryReserveTest() override {
    has = 0;
    give_up_pieces(reserve);
    for (void* each : taken) std::free(each);
  }
  void take(std::size_t bytes) { taken.push_back(reserve.allocate(bytes, 1)); }

  MemoryReserve reserve{of_system};
  std::vector<void*> taken;
};

TEST_F(MemoryReserveTest, LacksAllItsPiecesUntilItIsFilled) {
  EXPECT_TRUE(reserve.lacks_pieces());
  EXPECT_TRUE(reserve.fill());
  EXPECT_FALSE(reserve.lacks_pieces());
  EXPECT_EQ(reserve.spent_bytes(), 0U);
}

TEST_F(MemoryReserveTest, IsNotTouchedWhileTheSystemHasMemory) {
  ASSERT_TRUE(reserve.fill());
  for (int i = 0; i < 100; ++i) take(1000);
  EXPECT_FALSE(reserve.lacks_pieces());
}

TEST_F(MemoryReserveTest, SpendsTheSmallestPieceThatIsLargeEnough) {
  ASSERT_TRUE(reserve.fill());
  has = 0;
  EXPECT_THROW(take(200'000), std::bad_alloc);  // this system gives nothing, whatever comes back to it
  EXPECT_GE(reserve.spent_bytes(), std::size_t{256} << 10);
}

TEST_F(MemoryReserveTest, HasNothingForWhatIsLargerThanItsLargestPiece) {
  ASSERT_TRUE(reserve.fill());
  has = 0;
  EXPECT_THROW(take(std::size_t{2} << 20), std::bad_alloc);
  EXPECT_FALSE(reserve.lacks_pieces());
}

TEST_F(MemoryReserveTest, IsUsedUpPieceByPieceAndFilledAgain) {
  ASSERT_TRUE(reserve.fill());
  has = 0;
  EXPECT_THROW(take(100), std::bad_alloc);
  EXPECT_EQ(in_vain, 7) << "at first, and after each of six pieces";
  EXPECT_FALSE(reserve.fill());
  has = std::size_t{100} << 10;
  EXPECT_FALSE(reserve.fill()) << "there is memory for one piece";
  has = SIZE_MAX;
  EXPECT_TRUE(reserve.fill());
  EXPECT_FALSE(reserve.lacks_pieces());
}

// As malloc gives again what was freed.
TEST_F(MemoryReserveTest, HasMemoryForWhatHasBegunWhenTheSystemHasNone) {
  static MemoryReserve* spender = nullptr;
  static std::size_t used = 0;
  used = 0;
  MemoryReserve other([](std::size_t bytes, std::size_t) noexcept -> void* {
    if (spender && used + bytes > spender->spent_bytes()) return nullptr;
    if (spender) used += bytes;
    return std::malloc(bytes);
  });
  ASSERT_TRUE(other.fill());
  spender = &other;
  for (int i = 0; i < 1000; ++i) taken.push_back(other.allocate(500, 1));
  EXPECT_TRUE(other.lacks_pieces());
  EXPECT_FALSE(other.fill());
  spender = nullptr;
  EXPECT_TRUE(other.fill());
  spender = &other;
  used = SIZE_MAX / 2;
  give_up_pieces(other);
}

}  // namespace
}  // namespace antiphon::base
