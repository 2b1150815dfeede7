#include "mpiexec/hang.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace antiphon::launch {
namespace {

using bootstrap::WaitNote;
using Condition = RankView::Condition;

constexpr int kSnapshots = 4;

RankView waits_for(int peer, const char* call = "MPI_Recv") {
  RankView rank{.condition = Condition::asleep, .sleeps = 5, .wait_version = 2};
  std::strcpy(rank.wait.call, call);
  std::strcpy(rank.wait.communicator, "MPI_COMM_WORLD");
  rank.wait.peer = peer;
  rank.wait.tag = 7;
  rank.wait.bytes = 64;
  rank.waited_ns = 3'500'000'000;
  return rank;
}

RankView in_condition(Condition condition) { return {.condition = condition}; }

JobView job(std::vector<RankView> ranks) {
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i].rank = static_cast<int>(i);
  return {.ranks = std::move(ranks)};
}

// In which of `times` observations of the same view the detector speaks.
std::vector<int> reports(const JobView& view, int times) {
  HangDetector detector(kSnapshots);
  std::vector<int> found;
  for (int i = 1; i <= times; ++i) {
    if (detector.observe(view)) found.push_back(i);
  }
  return found;
}

TEST(HangDetector, SpeaksOnceWhenAllSleepUnchanged) {
  EXPECT_EQ(reports(job({waits_for(0)}), 20), std::vector{kSnapshots});
  EXPECT_EQ(reports(job({waits_for(1), waits_for(0)}), 20), std::vector{kSnapshots});
  EXPECT_EQ(reports(job({waits_for(1), waits_for(2), waits_for(0)}), 20), std::vector{kSnapshots});
}

TEST(HangDetector, SpeaksWhenTheRestWaitsForTheFinished) {
  EXPECT_EQ(reports(job({in_condition(Condition::finalized), waits_for(0)}), 9).size(), 1U);
  EXPECT_EQ(reports(job({in_condition(Condition::exited), waits_for(0)}), 9).size(), 1U);
}

TEST(HangDetector, IsSilentWhileARankRunsOrNoneIsLeft) {
  EXPECT_TRUE(reports(job({waits_for(1), in_condition(Condition::running)}), 20).empty());
  EXPECT_TRUE(reports(job({in_condition(Condition::finalized), in_condition(Condition::exited)}), 20).empty());
}

TEST(HangDetector, StartsAnewAfterAnyProgress) {
  HangDetector detector(kSnapshots);
  JobView view = job({waits_for(1), waits_for(0)});
  for (int second = 0; second < 20; ++second) {
    if (second % (kSnapshots - 1) == 0) ++view.ranks[1].sleeps;
    EXPECT_FALSE(detector.observe(view)) << second;
  }
}

TEST(HangDetector, CountsAThreadAtWorkAsProgress) {
  HangDetector detector(kSnapshots);
  JobView view = job({waits_for(1), waits_for(0)});
  for (int second = 0; second < 20; ++second) {
    view.ranks[0].cpu_ms += 900;
    EXPECT_FALSE(detector.observe(view)) << second;
  }
}

RankView stopped(platform::Stopped by = platform::Stopped::by_signal) {
  return {.pid = 4711, .by = by, .condition = Condition::stopped};
}

TEST(HangDetector, SpeaksOfAJobThatWaitsForAStoppedRank) {
  const JobView view = job({waits_for(1), stopped()});
  EXPECT_EQ(reports(view, 20), std::vector{kSnapshots});
  EXPECT_TRUE(is_any_stopped(view));
  EXPECT_TRUE(reports(job({stopped(), stopped()}), 20).empty());
  EXPECT_TRUE(reports(job({stopped(), in_condition(Condition::running)}), 20).empty());
}

TEST(HangDetector, StartsAnewWhenAStoppedRankGoesOn) {
  HangDetector detector(kSnapshots);
  const JobView before = job({waits_for(1), stopped()}), after = job({waits_for(1), waits_for(0)});
  EXPECT_FALSE(is_any_stopped(after));
  for (int second = 0; second < kSnapshots - 1; ++second) EXPECT_FALSE(detector.observe(before));
  for (int second = 0; second < kSnapshots - 1; ++second) EXPECT_FALSE(detector.observe(after));
  EXPECT_TRUE(detector.observe(after));
}

TEST(HangDetector, SpeaksAgainAboutTheNextHang) {
  HangDetector detector(kSnapshots);
  JobView view = job({waits_for(0)});
  int spoken = 0;
  for (int second = 0; second < 10; ++second) spoken += detector.observe(view) ? 1 : 0;
  ++view.ranks[0].wait_version;
  for (int second = 0; second < 10; ++second) spoken += detector.observe(view) ? 1 : 0;
  EXPECT_EQ(spoken, 2);
}

TEST(Diagnosis, HasALineARankAndTheCycle) {
  EXPECT_EQ(diagnose(job({waits_for(1, "MPI_Ssend"), waits_for(0)})),
            "  rank 0 waits in MPI_Ssend to rank 1, tag 7, 64 bytes, MPI_COMM_WORLD, for 3.5 s\n"
            "  rank 1 waits in MPI_Recv from rank 0, tag 7, 64 bytes, MPI_COMM_WORLD, for 3.5 s\n"
            "cycle: rank 0 waits for rank 1, which waits for rank 0");
}

RankView in_collective(int peer, std::uint32_t nth, const char* call, const char* agreed) {
  RankView rank = waits_for(peer, call);
  rank.wait.nth = nth;
  std::strcpy(rank.wait.agreed, agreed);
  return rank;
}

TEST(Diagnosis, ComparesTheCallsOfOneCollective) {
  const auto told = [](std::vector<RankView> ranks) {
    const std::string text = diagnose(job(std::move(ranks)));
    const std::size_t start = text.find("ranks of");
    return start == std::string::npos ? "" : text.substr(start);
  };
  EXPECT_EQ(told({in_collective(1, 7, "MPI_Bcast", "root 1, 40 bytes"),
                  in_collective(2, 7, "MPI_Bcast", "root 2, 40 bytes"),
                  in_collective(1, 7, "MPI_Bcast", "root 1, 40 bytes"), in_collective(2, 7, "MPI_Barrier", "")}),
            "ranks of MPI_COMM_WORLD disagree about their collective number 7:\n"
            "  MPI_Barrier: rank 3\n"
            "  MPI_Bcast with root 1, 40 bytes: ranks 0, 2\n"
            "  MPI_Bcast with root 2, 40 bytes: rank 1");
  // One is ahead of the other, and nothing is wrong with that.
  EXPECT_EQ(told({in_collective(1, 7, "MPI_Bcast", "root 1"), in_collective(2, 8, "MPI_Barrier", "")}), "");
  EXPECT_EQ(told({in_collective(1, 7, "MPI_Barrier", ""), waits_for(0)}), "");
}

TEST(Diagnosis, NamesWhoFailedInACollectiveInWhichOthersWait) {
  RankView failed = in_condition(Condition::running);
  failed.failure = {.communicator = "MPI_COMM_WORLD", .nth = 7, .text = "rank 0 has failed: MPI_Bcast: root=9"};
  EXPECT_EQ(diagnose(job({failed, in_collective(0, 7, "MPI_Bcast", "root 0")})),
            "  rank 0 runs\n"
            "  rank 1 waits in MPI_Bcast on rank 0, tag 7, 64 bytes, MPI_COMM_WORLD, for 3.5 s\n"
            "collective number 7 of MPI_COMM_WORLD: rank 0 has failed: MPI_Bcast: root=9");
  EXPECT_EQ(diagnose(job({failed, in_collective(0, 8, "MPI_Bcast", "root 0")})).find("failed"), std::string::npos);
}

TEST(Diagnosis, NamesWhoFailedToBeginACollectiveThatOthersWaitFor) {
  RankView failed = in_condition(Condition::running);
  failed.failure = {.communicator = "MPI_COMM_WORLD",
                    .nth = bootstrap::FailureNote::kLater,
                    .text = "rank 0 has failed: MPI_Bcast_init: root=9"};
  const auto told = [&](RankView waiting) {
    const std::string text = diagnose(job({failed, std::move(waiting)}));
    const std::size_t start = text.find("a collective");
    return start == std::string::npos ? "" : text.substr(start);
  };
  EXPECT_EQ(told(waits_for(0, "MPI_Waitall")),
            "a collective of MPI_COMM_WORLD: rank 0 has failed: MPI_Bcast_init: root=9");
  EXPECT_EQ(told(waits_for(WaitNote::kNoPeer, "MPI_Wait")),
            "a collective of MPI_COMM_WORLD: rank 0 has failed: MPI_Bcast_init: root=9");
  EXPECT_EQ(told(waits_for(0, "MPI_Recv")), "");
  EXPECT_EQ(told(waits_for(1, "MPI_Wait")), "");
  EXPECT_EQ(told(in_collective(0, 7, "MPI_Bcast", "root 0")), "");
}

TEST(Diagnosis, LeavesOutWhatDoesNotApply) {
  RankView barrier = waits_for(WaitNote::kNoPeer, "MPI_Barrier");
  barrier.wait.tag = WaitNote::kNoTag;
  barrier.wait.bytes = -1;
  RankView any = waits_for(WaitNote::kAnyPeer, "MPI_Probe");
  any.wait.tag = WaitNote::kAnyTag;
  EXPECT_EQ(diagnose(job({barrier, any})),
            "  rank 0 waits in MPI_Barrier, MPI_COMM_WORLD, for 3.5 s\n"
            "  rank 1 waits in MPI_Probe from any rank, any tag, 64 bytes, MPI_COMM_WORLD, for 3.5 s");
}

TEST(Diagnosis, NamesWaitsForRanksThatHaveFinished) {
  EXPECT_EQ(diagnose(job({in_condition(Condition::finalized), waits_for(0)})),
            "  rank 0 has called MPI_Finalize\n"
            "  rank 1 waits in MPI_Recv from rank 0, tag 7, 64 bytes, MPI_COMM_WORLD, for 3.5 s\n"
            "rank 1 waits for rank 0, which has called MPI_Finalize");
}

TEST(Diagnosis, SeesNoCycleThroughAStoppedRank) {
  EXPECT_EQ(diagnose(job({waits_for(1), stopped(), stopped(platform::Stopped::by_tracer)})),
            "  rank 0 waits in MPI_Recv from rank 1, tag 7, 64 bytes, MPI_COMM_WORLD, for 3.5 s\n"
            "  rank 1 is stopped by a signal, as SIGSTOP or Ctrl-Z (kill -CONT 4711 lets it go on)\n"
            "  rank 2 is stopped by a debugger (pid 4711)");
}

TEST(Diagnosis, SurvivesNotesThatMakeNoSense) {
  RankView odd = waits_for(99);
  std::memset(odd.wait.call, 'x', sizeof odd.wait.call);
  EXPECT_NE(diagnose(job({odd})).find("for 3.5 s"), std::string::npos);
}

TEST(Cycle, IsFoundBehindATailAndStartsAtItsLowestRank) {
  EXPECT_EQ(find_cycle(job({waits_for(2), waits_for(3), waits_for(3), waits_for(1)})), (std::vector{1, 3}));
  EXPECT_EQ(find_cycle(job({waits_for(0)})), std::vector{0});
}

TEST(Cycle, IsNotInventedWhereAWaitHasMoreThanOneWayOut) {
  EXPECT_TRUE(find_cycle(job({waits_for(1), waits_for(WaitNote::kAnyPeer)})).empty());
  EXPECT_TRUE(find_cycle(job({waits_for(1), in_condition(Condition::running)})).empty());
}

TEST(Diagnosis, NamesTheRanksOfANodeAsTheUserKnowsThem) {
  JobView view = job({waits_for(7), waits_for(5), waits_for(4)});
  for (RankView& rank : view.ranks) rank.rank += 5;  // 5, 6 and 7; rank 4 is on another node
  EXPECT_EQ(find_cycle(view), std::vector<int>{});
  view.ranks[2].wait.peer = 5;
  EXPECT_EQ(diagnose(view),
            "  rank 5 waits in MPI_Recv from rank 7, tag 7, 64 bytes, MPI_COMM_WORLD, for 3.5 s\n"
            "  rank 6 waits in MPI_Recv from rank 5, tag 7, 64 bytes, MPI_COMM_WORLD, for 3.5 s\n"
            "  rank 7 waits in MPI_Recv from rank 5, tag 7, 64 bytes, MPI_COMM_WORLD, for 3.5 s\n"
            "cycle: rank 5 waits for rank 7, which waits for rank 5");
}

TEST(Diagnosis, TellsTheBeginningOfALongCycle) {
  std::vector<RankView> ranks;
  for (int rank = 0; rank < 100; ++rank) ranks.push_back(waits_for((rank + 1) % 100));
  const std::string text = diagnose(job(std::move(ranks)));
  const std::string cycle = text.substr(text.find("\ncycle: ") + 1);
  EXPECT_EQ(cycle.find("cycle: rank 0 waits for rank 1, which waits for rank 2, which"), 0U) << cycle;
  EXPECT_NE(cycle.find("rank 16, and so on through 100 ranks, until rank 99 waits for rank 0"), std::string::npos)
      << cycle;
  EXPECT_LT(cycle.size(), 500U);
}

}  // namespace
}  // namespace antiphon::launch
