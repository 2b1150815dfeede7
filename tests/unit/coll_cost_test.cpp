// What plans cost at 131,072 ranks, counted without a byte of memory for their data: for one process, and, among
// fewer, on the longest way of processes that wait for one another.
#include "engine/coll/cost.hpp"

#include <gtest/gtest.h>

#include <unordered_map>
#include <vector>

#include "engine/coll/plans/allgather.hpp"
#include "engine/coll/plans/allreduce.hpp"
#include "engine/coll/plans/alltoall.hpp"
#include "engine/coll/plans/barrier.hpp"
#include "engine/coll/plans/gather.hpp"
#include "engine/coll/plans/reduce_scatter.hpp"
#include "engine/coll/plans/scan.hpp"
#include "engine/coll/plans/scatter.hpp"

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

// A sink that notes whom a process sends to and waits for.
class Tracer {
 public:
  struct Event {
    enum class Kind : std::uint8_t { send, receive, wait } kind;
    int peer;
  };
  explicit Tracer(const View& view) : view_(view) {}
  [[nodiscard]] const View& view() const { return view_; }
  Token send(const Region&, Peer to) { return note(Event::Kind::send, to.rank); }
  Token receive(const Region&, Peer from) { return note(Event::Kind::receive, from.rank); }
  void await(Token) { note(Event::Kind::wait, 0); }  // for all: good enough for algorithms with fences alone
  void fence() { note(Event::Kind::wait, 0); }
  void copy(const Region&, const Region&) {}
  void reduce(const Vector&, const Vector&, Reduction::Into) {}
  [[nodiscard]] static std::byte* scratch(std::size_t) { return Counter::nowhere(); }

  std::vector<Event> events;

 private:
  Token note(Event::Kind kind, int peer) {
    events.push_back({kind, peer});
    return {};
  }
  View view_;
};

// The rounds until the last process is done, where a message takes one and all else nothing.
template <class Plan>
int longest_way(int size, Plan plan) {
  struct Process {
    std::vector<Tracer::Event> events;
    std::size_t next = 0;
    int time = 0;
    std::vector<int> awaited;
  };
  std::vector<Process> processes(static_cast<std::size_t>(size));
  for (int rank = 0; rank < size; ++rank) {
    Tracer tracer(View{{rank, size}});
    plan(tracer);
    processes[static_cast<std::size_t>(rank)].events = std::move(tracer.events);
  }
  std::unordered_map<std::uint64_t, std::vector<int>> in_flight;  // by sender and receiver: when they are there
  const auto edge = [](int from, int to) {
    return static_cast<std::uint64_t>(from) << 32 | static_cast<unsigned>(to);
  };
  std::vector<int> runnable, finished(static_cast<std::size_t>(size));
  for (int rank = 0; rank < size; ++rank) runnable.push_back(rank);
  int longest = 0;
  while (!runnable.empty()) {
    const int rank = runnable.back();
    runnable.pop_back();
    Process& process = processes[static_cast<std::size_t>(rank)];
    for (; process.next < process.events.size(); ++process.next) {
      const Tracer::Event event = process.events[process.next];
      if (event.kind == Tracer::Event::Kind::send) {
        in_flight[edge(rank, event.peer)].push_back(process.time + 1);
        runnable.push_back(event.peer);
      } else if (event.kind == Tracer::Event::Kind::receive) {
        process.awaited.push_back(event.peer);
      } else {
        while (!process.awaited.empty()) {
          const auto found = in_flight.find(edge(process.awaited.back(), rank));
          if (found == in_flight.end()) break;
          process.time = std::max(process.time, found->second.front());
          found->second.erase(found->second.begin());
          if (found->second.empty()) in_flight.erase(found);
          process.awaited.pop_back();
        }
        if (!process.awaited.empty()) break;
      }
    }
    if (process.next == process.events.size()) finished[static_cast<std::size_t>(rank)] = 1;
    longest = std::max(longest, process.time);
  }
  for (const int each : finished) EXPECT_EQ(each, 1);
  return longest;
}

constexpr auto kAllreduce8Bytes = [](auto& sink) { plan_allreduce(sink, doubles(1), doubles(1)); };

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
  const Cost cost = cost_of(5, kRanks, [](auto& sink) { plan_allreduce(sink, {}, doubles(kGibibyte / 8)); });
  EXPECT_EQ(cost.rounds, 2 * (kRanks - 1));
  EXPECT_EQ(cost.bytes_sent, 2 * (kGibibyte - kGibibyte / kRanks));
  EXPECT_EQ(cost.bytes_received, cost.bytes_sent);
  EXPECT_EQ(cost.elements_combined, kGibibyte / 8 - kGibibyte / 8 / kRanks);
}

TEST(Cost, OfTreesIsLog2RoundsOnTheLongestWay) {
  EXPECT_EQ(longest_way(kMany, [](auto& sink) { plan_barrier(sink); }), kLog2OfMany);
  EXPECT_EQ(longest_way(kMany, [](auto& sink) { plan_bcast(sink, somewhere(8), 4711); }), kLog2OfMany);
  EXPECT_EQ(longest_way(kMany, [](auto& sink) { plan_reduce(sink, doubles(1), doubles(1), 4711); }), kLog2OfMany);
}

TEST(Cost, OfABroadcastIsOneMessageForEachButTheRoot) {
  const auto bcast = [](auto& sink) { plan_bcast(sink, somewhere(1000), 3); };
  EXPECT_EQ(cost_of(3, kRanks, bcast).sends, 17u);
  EXPECT_EQ(cost_of(3, kRanks, bcast).receives, 0u);
  EXPECT_EQ(cost_of(2, kRanks, bcast).sends, 0u);
  EXPECT_EQ(cost_of(2, kRanks, bcast).receives, 1u);
}

TEST(Cost, OfAShortAllgatherIsLog2RoundsAndEveryBlockOnce) {
  const Cost cost =
      cost_of(9, kRanks, [](auto& sink) { plan_allgather(sink, somewhere(8), somewhere(8 * std::size_t{kRanks})); });
  EXPECT_EQ(cost.rounds, kLog2);
  EXPECT_EQ(cost.bytes_sent, 8u * (kRanks - 1));
}

TEST(Cost, OfGatherScatterAndAlltoallIsAMessageForEachPairThatHasData) {
  const Region all = somewhere(8 * std::size_t{kRanks});
  const Cost gather = cost_of(6, kRanks, [&](auto& sink) { plan_gather(sink, somewhere(8), all, 6); });
  EXPECT_EQ(gather.receives, std::size_t{kRanks} - 1);
  EXPECT_EQ(gather.rounds, 1);
  const Cost scatter = cost_of(6, kRanks, [&](auto& sink) { plan_scatter(sink, all, somewhere(8), 6); });
  EXPECT_EQ(scatter.sends, std::size_t{kRanks} - 1);
  EXPECT_EQ(scatter.rounds, 0);
  const Cost alltoall = cost_of(6, kRanks, [&](auto& sink) { plan_alltoall(sink, all, all); });
  EXPECT_EQ(alltoall.sends, std::size_t{kRanks} - 1);
  EXPECT_EQ(alltoall.rounds, 1);
}

TEST(Cost, OfScansIsLog2RoundsOnTheLongestWay) {
  const auto scan = [](auto& sink) { plan_scan(sink, doubles(1), doubles(1)); };
  const auto exscan = [](auto& sink) { plan_exscan(sink, doubles(1), doubles(1)); };
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
      plan_reduce_scatter(sink, doubles(static_cast<std::size_t>(size)), shares, doubles(1));
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
  plan_allreduce(leader, doubles(1), doubles(1));
  EXPECT_EQ(leader.cost().receives, 10u + 1);
  EXPECT_EQ(leader.cost().sends, 1u + 10);
  Counter last(View{{1023, 1024}, 512});
  plan_allreduce(last, doubles(1), doubles(1));
  EXPECT_EQ(last.cost().sends, 1u);
  EXPECT_EQ(last.cost().receives, 1u);
}

}  // namespace
}  // namespace antiphon::coll
