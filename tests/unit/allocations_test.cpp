// The memory of MPI_Alloc_mem by itself.
#include "objects/allocations.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace antiphon::objects {
namespace {

TEST(Allocations, StartWhereTheyAreWanted) {
  Allocations allocations;
  for (const std::size_t alignment : {1u, 8u, 64u, 4096u, 1u << 20}) {
    void* start = allocations.allocate(1000, alignment);
    ASSERT_NE(start, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(start) % alignment, 0u);
    std::memset(start, 1, 1000);
    EXPECT_TRUE(allocations.free(start));
  }
}

TEST(Allocations, FreeNothingElse) {
  Allocations allocations;
  auto* start = static_cast<char*>(allocations.allocate(100, 1));
  int local = 0;
  EXPECT_FALSE(allocations.free(&local));
  EXPECT_FALSE(allocations.free(nullptr));
  EXPECT_FALSE(allocations.free(start + 1));
  EXPECT_TRUE(allocations.free(start));
  EXPECT_FALSE(allocations.free(start));
}

TEST(Allocations, OfNothingCanBeFreedToo) {
  Allocations allocations;
  void* start = allocations.allocate(0, 1);
  EXPECT_NE(start, nullptr);
  EXPECT_TRUE(allocations.free(start));
}

TEST(Allocations, LargerThanMemoryCanBeAreRefused) {
  Allocations allocations;
  EXPECT_EQ(allocations.allocate(SIZE_MAX, 1), nullptr);
  EXPECT_EQ(allocations.allocate(PTRDIFF_MAX, 64), nullptr);
}

}  // namespace
}  // namespace antiphon::objects
