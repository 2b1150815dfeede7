// No wake-up is lost between a publisher and a rank that goes to sleep, whichever way their fences are made.
#include <sched.h>

#include <cstdlib>
#include <functional>
#include <ostream>
#include <thread>

#include "base/rng.hpp"
#include "packets.hpp"
#include "platform/pause.hpp"
#include "sleeper.hpp"
#include "watchdog.hpp"

namespace antiphon::contract {

static const char* name_of(Fence fence) { return fence == Fence::full ? "Full" : "Asymmetric"; }
static void PrintTo(Fence fence, std::ostream* to) { *to << name_of(fence); }

namespace {

constexpr std::uint64_t kRounds = 100'000;

// Threads that the calling one makes afterwards stay there too.
void stay_on_this_processor() {
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(sched_getcpu(), &here);
  sched_setaffinity(0, sizeof here, &here);
}

class WakeUp : public testing::TestWithParam<Fence> {};
INSTANTIATE_TEST_SUITE_P(Fences, WakeUp, testing::Values(Fence::asymmetric, Fence::full),
                         [](const auto& fence) { return name_of(fence.param); });

TEST_P(WakeUp, IsNeverLostWhenTwoWakeEachOther) {
  ShmEnds ends({.full_fence = GetParam() == Fence::full});
  std::atomic<std::uint64_t> rounds = 0;
  const Watchdog watchdog("two that wake each other", rounds);
  const auto play = [&](int me) {
    Sleeper sleeper(ends, me, GetParam());
    Checker checker(1 - me);
    const auto channel = ends.end(me).connect(1 - me);
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      if (me == 1) sleeper.wait(checker.dispatcher(), [&] { return checker.taken() > round; });
      EXPECT_EQ(channel->try_send(header_of(round), {}), transport::SendStatus::sent);
      if (me == 0) sleeper.wait(checker.dispatcher(), [&] { return checker.taken() > round; });
      if (me == 0) rounds = round;
    }
  };
  std::thread other(play, 1);
  play(0);
  other.join();
  RecordProperty("sleeps", std::to_string(ends.slot(0).sleeps + ends.slot(1).sleeps));
  EXPECT_GT(ends.slot(0).sleeps + ends.slot(1).sleeps, kRounds / 100) << "they hardly slept: nothing was tested";
}

// Rank 0 sends a packet each round and sleeps until rank 1 has answered. Rank 1 never sleeps and answers after a
// moment drawn anew each round, so that its packet comes at every point of the other's way to sleep.
void wake_again_and_again(Fence fence, const char* what, std::size_t bytes_of_answer,
                          const std::function<void(std::uint64_t round)>& begin_round) {
  // The window is a few nanoseconds wide.
  const std::uint64_t tries = std::getenv("ANTIPHON_TEST_LONG") ? 10 * kRounds : kRounds;
  ShmEnds ends({.full_fence = fence == Fence::full});
  std::atomic<std::uint64_t> rounds = 0;
  const Watchdog watchdog(what, rounds);
  std::thread awake([&] {
    base::Rng rng(3);
    Checker checker(0);
    const auto channel = ends.end(1).connect(0);
    for (std::uint64_t round = 0; round < tries; ++round) {
      begin_round(round);
      while (checker.taken() <= round) ends.end(1).poll(checker.dispatcher());
      for (int moment = rng.below(100); moment > 0; --moment) platform::pause();
      EXPECT_EQ(channel->try_send(header_of(round), {content_of(round, bytes_of_answer), bytes_of_answer}),
                transport::SendStatus::sent);
    }
  });
  Sleeper sleeper(ends, 0, fence);
  Checker checker(1);
  const auto channel = ends.end(0).connect(1);
  for (std::uint64_t round = 0; round < tries; ++round) {
    EXPECT_EQ(channel->try_send(header_of(round), {}), transport::SendStatus::sent);
    sleeper.wait(checker.dispatcher(), [&] { return checker.taken() > round; });
    rounds = round;
  }
  awake.join();
  testing::Test::RecordProperty("sleeps", std::to_string(ends.slot(0).sleeps));
}

// The packet is long, so that it is still on its way out of the core when the bell is looked at.
TEST_P(WakeUp, IsNeverLostWhenThePacketComesJustBeforeTheSleep) {
  wake_again_and_again(GetParam(), "one that sleeps, one that does not", 1000, [](std::uint64_t) {});
}

// A processor on which a thread has ended and another thread of its process goes on is left out of membarrier(2), by
// Linux up to 6.18 at least, until it has run another process: there a publisher overlooks a sleeper now and then.
TEST_P(WakeUp, IsNeverLostThoughThreadsOfThePublisherEnd) {
  wake_again_and_again(GetParam(), "one that sleeps, one whose threads end", 0, [](std::uint64_t round) {
    if (round == 0) stay_on_this_processor();
    if (round % 100 == 0) std::thread([] {}).join();
  });
}

// The sender sleeps when the ring is full, the receiver when it is empty; each wakes the other.
TEST_P(WakeUp, IsNeverLostWhenASenderWaitsForRoom) {
  constexpr std::uint64_t kPackets = 50'000;
  constexpr std::size_t kBytes = std::size_t{4} << 10;
  constexpr std::uint32_t kRanks = 1000;  // their rings are small
  ShmEnds ends({.full_fence = GetParam() == Fence::full, .job_size = kRanks});
  std::atomic<std::uint64_t> received = 0;
  const Watchdog watchdog("a sender that waits for room", received);
  std::thread sender([&] {
    Sleeper sleeper(ends, 0, GetParam());
    const transport::Dispatcher nothing;
    const auto channel = ends.end(0).connect(1);
    for (std::uint64_t number = 0; number < kPackets; ++number) {
      bool sent = false;  // done() is asked again after it was true
      sleeper.wait(nothing, [&] {
        if (!sent)
          sent = channel->try_send(header_of(number), {content_of(number, kBytes), kBytes}) ==
                 transport::SendStatus::sent;
        return sent;
      });
    }
  });
  Sleeper sleeper(ends, 1, GetParam());
  Checker checker(0);
  for (std::uint64_t number = 0; number < kPackets; ++number) {
    sleeper.wait(checker.dispatcher(), [&] { return checker.taken() > number; });
    received = number;
  }
  sender.join();
  EXPECT_EQ(checker.taken(), kPackets);
  EXPECT_GT(ends.slot(0).sleeps + ends.slot(1).sleeps, 0u) << "nobody slept: nothing was tested";
}

// Several senders sleep because the queue that they share is full; whoever makes room wakes all of them.
TEST_P(WakeUp, IsNeverLostWhenManySendersWaitForRoomInAQueue) {
  constexpr int kSenders = 5;
  constexpr std::uint64_t kEach = 10'000;
  constexpr std::size_t kBytes = std::size_t{4} << 10;
  ShmEnds ends({.full_fence = GetParam() == Fence::full, .ends = kSenders + 1, .rings_each = 0});
  std::atomic<std::uint64_t> received = 0;
  const Watchdog watchdog("senders that wait for room in a queue", received);
  std::vector<std::thread> senders;
  for (int me = 1; me <= kSenders; ++me)
    senders.emplace_back([&, me] {
      Sleeper sleeper(ends, me, GetParam());
      const transport::Dispatcher nothing;
      const auto channel = ends.end(me).connect(0);
      for (std::uint64_t number = 0; number < kEach; ++number) {
        bool sent = false;
        sleeper.wait(nothing, [&] {
          if (!sent)
            sent = channel->try_send({}, {content_of(number, kBytes), kBytes}) == transport::SendStatus::sent;
          return sent;
        });
      }
    });
  Counter counter(kSenders + 1);
  Sleeper sleeper(ends, 0, GetParam());
  for (std::uint64_t number = 0; number < kEach * kSenders; ++number) {
    sleeper.wait(counter.dispatcher(), [&] { return counter.taken() > number; });
    received = number;
  }
  for (std::thread& sender : senders) sender.join();
  for (int me = 1; me <= kSenders; ++me) EXPECT_EQ(counter.taken_from(me), kEach);
}

}  // namespace
}  // namespace antiphon::contract
