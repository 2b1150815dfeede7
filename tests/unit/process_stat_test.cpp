#include "platform/linux/process_stat.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <ctime>

namespace antiphon::platform {
namespace {

TEST(ProcessStat, IsReadWhateverTheProcessIsCalled) {
  char name[16];
  prctl(PR_GET_NAME, name);
  prctl(PR_SET_NAME, "it) S 1 (is");
  const auto stat = process_stat(getpid());
  prctl(PR_SET_NAME, name);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->parent, getppid());
}

TEST(ProcessStat, CountsTheTimeOnACore) {
  const std::uint64_t before = process_stat(getpid())->cpu_ms;
  const std::clock_t enough = std::clock() + CLOCKS_PER_SEC / 20;
  while (std::clock() < enough) continue;
  const std::uint64_t spent = process_stat(getpid())->cpu_ms - before;
  EXPECT_GE(spent, 20u);
  EXPECT_LE(spent, 1000u);
}

TEST(ProcessStat, IsNothingWhereThereIsNoProcess) { EXPECT_FALSE(process_stat(0)); }

}  // namespace
}  // namespace antiphon::platform
