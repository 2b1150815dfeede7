// What was set is found, by those who read while the table grows, too.
#include "base/growing_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <thread>

namespace antiphon::base {
namespace {

TEST(GrowingTable, HasNothingBeforeSomethingIsSet) {
  const GrowingTable<int*> table;
  EXPECT_EQ(table.size(), 0U);
  EXPECT_EQ(table.find(0), nullptr);
  EXPECT_EQ(table.find(1'000'000), nullptr);
}

TEST(GrowingTable, KeepsEachValueAtItsIndexHoweverFarItGrows) {
  for (const std::size_t expected : {1U, 3U, 8U, 1000U}) {
    GrowingTable<std::uint64_t> table(expected);
    for (std::size_t i = 0; i < 1000; ++i) table.set(i, i + 7);
    EXPECT_EQ(table.size(), 1000U);
    for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(table[i], i + 7);
    EXPECT_EQ(table.find(1000), 0U);
  }
}

TEST(GrowingTable, HasNothingInTheGapsBetweenIndices) {
  GrowingTable<std::uint64_t> table;
  table.set(100, 1);
  table.set(3, 2);
  EXPECT_EQ(table.size(), 101U);
  EXPECT_EQ(table.find(3), 2U);
  EXPECT_EQ(table.find(4), 0U);
  EXPECT_EQ(table.find(100), 1U);
}

TEST(GrowingTable, ReplacesAValue) {
  GrowingTable<std::uint64_t> table;
  table.set(5, 1);
  table.set(5, 2);
  EXPECT_EQ(table[5], 2U);
  EXPECT_EQ(table.size(), 6U);
}

// Each value is the address of an object with the index in it, so a reader that finds a wrong one, or one that is not
// written yet, notices.
TEST(GrowingTable, IsReadByThreadsWhileItGrows) {
  constexpr std::size_t kValues = 100'000;
  for (const int readers : {1, 2, 3, 8}) {
    GrowingTable<const std::size_t*> table;
    std::deque<std::size_t> objects;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int reader = 0; reader < readers; ++reader)
      threads.emplace_back([&, step = static_cast<std::size_t>(reader) * 7 + 1] {
        for (std::size_t seen = 0, look = 0; seen < kValues; ++look) {
          seen = table.size();
          if (seen == 0) continue;
          const std::size_t index = look * step % seen;
          const std::size_t* const found = table[index];
          if (!found || *found != index) ++wrong;
        }
      });
    for (std::size_t i = 0; i < kValues; ++i) table.set(i, &objects.emplace_back(i));
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0) << readers << " readers";
  }
}

}  // namespace
}  // namespace antiphon::base
