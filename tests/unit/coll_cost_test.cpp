// What plans cost at 131,072 ranks, counted without a byte of memory for their data: for one process, and, among
// fewer, on the longest way of processes that wait for one another.
#include "engine/coll/cost.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "engine/coll/plans/allgather.hpp"
#include "engine/coll/plans/allreduce.hpp"
#include "engine/coll/plans/alltoall.hpp"
#include "engine/coll/plans/barrier.hpp"
#include "engine/coll/plans/gather.hpp"
#include "engine/coll/plans/reduce_scatter.hpp"
#include "engine/coll/plans/scan.hpp"
#include "engine/coll/plans/scatter.hpp"
#include "loggp.hpp"

namespace antiphon::coll {
namespace {

constexpr int kRanks = 131'072, kLog2 = 17;
constexpr int kMany = 16'384, kLog2OfMany = 14;  // where all processes are counted

const Reduction& adding() {
  static const Reduction reduction = Reduction::of(objects::Op::Kind::sum, objects::Element::float64, 8);
  return reduction;
}
Region somewhere(std::size_t bytes) { return {Counter::nowhere(), bytes}; }
Vector doubles(std::size_t count) { return {Counter::nowhere(), count, adding()}; }

template <class Plan>
Cost cost_of(int rank, int size, Plan plan) {
  Counter counter(View{{rank, size}});
  plan(counter);
  return counter.cost();
}

// The rounds until the last process is done, where a message takes one and all else nothing.
template <class Plan>
int longest_way(int size, Plan plan) {
  Machine machine{settings::Values{}};
  machine.near = {.latency = 1, .byte = 0};
  machine.gap = machine.copied_byte = machine.combined_byte = 0;
  return static_cast<int>(LogGP(machine).time(size, plan));
}

// Those that are asked for, where plans that choose by cost would take others.
settings::Values asked_for() {
  settings::Values values;
  values.barrier_algorithm = settings::BarrierAlgorithm::dissemination;
  values.bcast_algorithm = settings::BcastAlgorithm::binomial;
  values.reduce_algorithm = settings::ReduceAlgorithm::binomial;
  values.allreduce_algorithm = settings::AllreduceAlgorithm::recursive_doubling;
  values.gather_algorithm = settings::GatherAlgorithm::linear;
  values.scatter_algorithm = settings::ScatterAlgorithm::linear;
  values.allgather_algorithm = settings::AllgatherAlgorithm::bruck;
  values.alltoall_algorithm = settings::AlltoallAlgorithm::spread;
  values.reduce_scatter_algorithm = settings::ReduceScatterAlgorithm::halving;
  values.scan_algorithm = settings::ScanAlgorithm::doubling;
  return values;
}
const settings::Values kAsked = asked_for();

constexpr auto kAllreduce8Bytes = [](auto& sink) { plan_allreduce(sink, doubles(1), doubles(1), kAsked); };

TEST(Cost, OfAnAllreduceOf8BytesIsLog2RoundsMessagesAnd8BytesEach) {
  for (const int rank : {0, 1, 77'777, kRanks - 1}) {
    const Cost cost = cost_of(rank, kRanks, kAllreduce8Bytes);
    EXPECT_EQ(cost.rounds, kLog2);
    EXPECT_EQ(cost.sends, 17u);
    EXPECT_EQ(cost.receives, 17u);
    EXPECT_EQ(cost.bytes_sent, 17u * 8);
    EXPECT_EQ(cost.elements_combined, 17u);
    EXPECT_EQ(cost.scratch_bytes, 8u);
  }
}

// Whoever takes in the rank too many is late by a round, and so is everybody in the end.
TEST(Cost, OfAnAllreduceAmongOneRankMoreIsOneRoundMore) {
  EXPECT_EQ(longest_way(kMany, kAllreduce8Bytes), kLog2OfMany);
  EXPECT_EQ(longest_way(kMany + 1, kAllreduce8Bytes), kLog2OfMany + 1);
  EXPECT_EQ(longest_way(3, kAllreduce8Bytes), 2);
  EXPECT_EQ(longest_way(1, kAllreduce8Bytes), 0);
}

TEST(Cost, OfAnAllreduceOfAGibibyteIsTwiceItsBytesWhateverTheRanks) {
  constexpr std::size_t kGibibyte = std::size_t{1} << 30;
  settings::Values settings;
  settings.allreduce_algorithm = settings::AllreduceAlgorithm::ring;
  const Cost cost =
      cost_of(5, kRanks, [&](auto& sink) { plan_allreduce(sink, {}, doubles(kGibibyte / 8), settings); });
  EXPECT_EQ(cost.rounds, 2 * (kRanks - 1));
  EXPECT_EQ(cost.bytes_sent, 2 * (kGibibyte - kGibibyte / kRanks));
  EXPECT_EQ(cost.bytes_received, cost.bytes_sent);
  EXPECT_EQ(cost.elements_combined, kGibibyte / 8 - kGibibyte / 8 / kRanks);
}

TEST(Cost, OfTreesIsLog2RoundsOnTheLongestWay) {
  EXPECT_EQ(longest_way(kMany, [](auto& sink) { plan_barrier(sink, kAsked); }), kLog2OfMany);
  EXPECT_EQ(longest_way(kMany, [](auto& sink) { plan_bcast(sink, somewhere(8), 4711, kAsked); }), kLog2OfMany);
  EXPECT_EQ(longest_way(kMany, [](auto& sink) { plan_reduce(sink, doubles(1), doubles(1), 4711, kAsked); }),
            kLog2OfMany);
}

TEST(Cost, OfABroadcastIsOneMessageForEachButTheRoot) {
  const auto bcast = [](auto& sink) { plan_bcast(sink, somewhere(1000), 3, kAsked); };
  EXPECT_EQ(cost_of(3, kRanks, bcast).sends, 17u);
  EXPECT_EQ(cost_of(3, kRanks, bcast).receives, 0u);
  EXPECT_EQ(cost_of(2, kRanks, bcast).sends, 0u);
  EXPECT_EQ(cost_of(2, kRanks, bcast).receives, 1u);
}

TEST(Cost, OfAShortAllgatherIsLog2RoundsAndEveryBlockOnce) {
  const Cost cost = cost_of(
      9, kRanks, [](auto& sink) { plan_allgather(sink, somewhere(8), somewhere(8 * std::size_t{kRanks}), kAsked); });
  EXPECT_EQ(cost.rounds, kLog2);
  EXPECT_EQ(cost.bytes_sent, 8u * (kRanks - 1));
}

TEST(Cost, OfGatherScatterAndAlltoallIsAMessageForEachPairThatHasData) {
  const Region all = somewhere(8 * std::size_t{kRanks});
  const Cost gather = cost_of(6, kRanks, [&](auto& sink) { plan_gather(sink, somewhere(8), all, 6, kAsked); });
  EXPECT_EQ(gather.receives, std::size_t{kRanks} - 1);
  EXPECT_EQ(gather.rounds, 1);
  const Cost scatter = cost_of(6, kRanks, [&](auto& sink) { plan_scatter(sink, all, somewhere(8), 6, kAsked); });
  EXPECT_EQ(scatter.sends, std::size_t{kRanks} - 1);
  EXPECT_EQ(scatter.rounds, 0);
  const Cost alltoall = cost_of(6, kRanks, [&](auto& sink) { plan_alltoall(sink, all, all, kAsked); });
  EXPECT_EQ(alltoall.sends, std::size_t{kRanks} - 1);
  EXPECT_EQ(alltoall.rounds, 1);
}

TEST(Cost, OfScansIsLog2RoundsOnTheLongestWay) {
  const auto scan = [](auto& sink) { plan_scan(sink, doubles(1), doubles(1), kAsked); };
  const auto exscan = [](auto& sink) { plan_exscan(sink, doubles(1), doubles(1), kAsked); };
  EXPECT_EQ(cost_of(kRanks - 1, kRanks, scan).rounds, kLog2);
  EXPECT_EQ(cost_of(kRanks - 1, kRanks, scan).sends, 0u);
  EXPECT_EQ(cost_of(0, kRanks, scan).receives, 0u);
  EXPECT_EQ(cost_of(0, kRanks, scan).sends, 17u);
  EXPECT_EQ(longest_way(kMany, scan), kLog2OfMany);
  EXPECT_EQ(longest_way(kMany, exscan), kLog2OfMany);
}

TEST(Cost, OfAReduceScatterIsLog2RoundsAndItsBytesButOneShare) {
  const Shares shares(1);
  const auto plan = [&](int size) {
    return [&, size](auto& sink) {
      plan_reduce_scatter(sink, doubles(static_cast<std::size_t>(size)), shares, doubles(1), kAsked);
    };
  };
  const Cost cost = cost_of(77'777, kRanks, plan(kRanks));
  EXPECT_EQ(cost.rounds, kLog2);
  EXPECT_EQ(cost.bytes_sent, 8u * (kRanks - 1));
  EXPECT_EQ(cost.elements_combined, std::size_t{kRanks} - 1);
  EXPECT_EQ(longest_way(kMany, plan(kMany)), kLog2OfMany);
  EXPECT_EQ(longest_way(kMany + 1, plan(kMany + 1)), kLog2OfMany + 1);
}

// Between two groups the leaders exchange what their groups made of it.
TEST(Cost, OfAnAllreduceBetweenTwoGroupsIsWithinThemAndOneMessageBetweenLeaders) {
  Counter leader(View{{0, 1024}, 512});
  plan_allreduce(leader, doubles(1), doubles(1), kAsked);
  EXPECT_EQ(leader.cost().receives, 10u + 1);
  EXPECT_EQ(leader.cost().sends, 1u + 10);
  Counter last(View{{1023, 1024}, 512});
  plan_allreduce(last, doubles(1), doubles(1), kAsked);
  EXPECT_EQ(last.cost().sends, 1u);
  EXPECT_EQ(last.cost().receives, 1u);
}

}  // namespace
}  // namespace antiphon::coll
