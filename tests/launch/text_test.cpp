// The words mpiexec finds: verdicts on ends, near misses, what was counted.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <cstring>
#include <memory>

#include "base/nearest.hpp"
#include "common/failure.hpp"
#include "hosts/host.hpp"
#include "mpiexec/counters.hpp"
#include "mpiexec/verdict.hpp"

namespace antiphon::launch {
namespace {

// Wait statuses as the kernel encodes them.
constexpr int exited(int status) { return status << 8; }
constexpr int killed(int signal_number) { return signal_number; }

TEST(Verdict, BlamesASignalBeforeAStatusAndNobodyWhenAllIsWell) {
  EXPECT_FALSE(judge_ends({{.rank = 0, .pid = 10, .wait_status = 0}}, "h"));
  const auto verdict = judge_ends(
      {{.rank = 0, .pid = 10, .wait_status = exited(3)}, {.rank = 1, .pid = 11, .wait_status = killed(SIGSEGV)}},
      "node7");
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->exit_status, 139);
  EXPECT_EQ(verdict->message, "rank 1 (pid 11, host node7) died by signal 11 (Segmentation fault)");
}

TEST(Verdict, SaysThatMemoryWasUsedUpWhereTheKernelHasKilledForIt) {
  const std::vector<EndedRank> ended{{.rank = 1, .pid = 11, .wait_status = killed(SIGKILL)}};
  EXPECT_EQ(judge_ends(ended, "h", {.before = 3, .now = 3})->message,
            "rank 1 (pid 11, host h) died by signal 9 (Killed)");
  EXPECT_EQ(
      judge_ends(ended, "h", {.before = 3, .now = 5})->message,
      "rank 1 (pid 11, host h) died by signal 9 (Killed), very likely by the kernel, for want of memory: in this "
      "control group it has done so 2 times since the job began");
}

TEST(Verdict, OfAnAbortHasTheCodeAndTheText) {
  const JobVerdict verdict = judge_abort({.rank = 2, .code = 300, .text = "why"}, name_rank(2, 12, "h"));
  EXPECT_EQ(verdict.exit_status, 300 - 256);
  EXPECT_EQ(verdict.message, "rank 2 (pid 12, host h) aborted the job with code 300: why");
}

TEST(Nearest, IsTheClosestWordOrNone) {
  constexpr std::array<std::string_view, 3> words{"timeout", "bind-to", "wdir"};
  EXPECT_EQ(base::nearest("tiemout", words), "timeout");
  EXPECT_EQ(base::nearest("bindto", words), "bind-to");
  EXPECT_EQ(base::nearest("quite-another", words), std::nullopt);
}

TEST(Counters, AreATableWithAColumnForEachOfAFewRanks) {
  RankCounters one{}, other{};
  EXPECT_EQ(describe_counters(std::array{one, other}), "");
  one[0] = 5;
  other[0] = 7;
  other[1] = 1'000'000'000'000;
  const std::string text = describe_counters(std::array{one, other});
  EXPECT_NE(text.find("all ranks        rank 0        rank 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find(fmt::format("\n{:<28}            12             5             7", counters::table[0].name)),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" 1000000000000             0 1000000000000"), std::string::npos) << text;
}

TEST(Counters, OfManyRanksAreTheSumTheLeastAndTheMost) {
  std::vector<RankCounters> ranks(100);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    ranks[rank][0] = 7 + (rank == 3 ? 1 : 0) - (rank == 8 ? 2 : 0);
  const std::string text = describe_counters(ranks);
  EXPECT_NE(text.find("           699                 5 (8)                 8 (3)"), std::string::npos) << text;
}

TEST(Host, KnowsItsOwnNames) {
  EXPECT_TRUE(is_this_host("localhost"));
  EXPECT_TRUE(is_this_host(host_name()));
  EXPECT_FALSE(is_this_host("elsewhere.example"));
}

}  // namespace
}  // namespace antiphon::launch
