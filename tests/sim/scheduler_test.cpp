// What the simulator's fibers have to themselves, and how a run ends.
#include "scheduler.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace antiphon::sim {
namespace {

constexpr int kFibers = 5;

bool never_idle(bool idle) { return !idle; }

TEST(Scheduler, FibersHandleExceptionsOfTheirOwn) {
  Scheduler scheduler(1);
  int own = 0;
  for (int number = 0; number < kFibers; ++number)
    scheduler.spawn([&scheduler, &own, number] {
      try {
        throw number;
      } catch (int) {
        for (int times = 0; times <= number; ++times) scheduler.yield();
        try {
          throw;
        } catch (int again) {
          own += again == number ? 1 : 0;
        }
      }
    });
  EXPECT_EQ(scheduler.run(never_idle), Scheduler::Ending::all_ended);
  EXPECT_EQ(own, kFibers);
}

TEST(Scheduler, AFiberThatVanishesLeavesTheOthersAlone) {
  Scheduler scheduler(2);
  int ended = 0;
  for (int number = 0; number < kFibers; ++number)
    scheduler.spawn([&scheduler, &ended, number] {
      if (number == 2) scheduler.vanish();
      scheduler.yield();
      ++ended;
    });
  EXPECT_EQ(scheduler.run(never_idle), Scheduler::Ending::all_ended);
  EXPECT_EQ(ended, kFibers - 1);
}

TEST(Scheduler, StopsWhereAFiberSaysSo) {
  Scheduler scheduler(3);
  int steps = 0;
  for (int number = 0; number < kFibers; ++number)
    scheduler.spawn([&scheduler, &steps] {
      for (;;) {
        if (++steps == 100) scheduler.stop();
        scheduler.yield();
      }
    });
  EXPECT_EQ(scheduler.run(never_idle), Scheduler::Ending::stopped);
  EXPECT_EQ(steps, 100);
}

TEST(Scheduler, TellsADeadlockFromAnEnd) {
  Scheduler scheduler(4);
  for (int number = 0; number < kFibers; ++number)
    scheduler.spawn([&scheduler, number] {
      if (number == 1) scheduler.block();
    });
  EXPECT_EQ(scheduler.run(never_idle), Scheduler::Ending::deadlock);
}

TEST(Scheduler, SaysWhoGoesOnAndWhoHasGivenWay) {
  Scheduler scheduler(5);
  std::vector<int> running;
  int seen = 0;
  scheduler.on_switch([&](int fiber) { running.push_back(fiber); },
                      [&](int fiber) {
                        EXPECT_EQ(running.back(), fiber);
                        running.pop_back();
                      });
  for (int number = 0; number < kFibers; ++number)
    scheduler.spawn([&, number] {
      for (int times = 0; times < 3; ++times) {
        EXPECT_EQ(running, std::vector<int>{number});
        EXPECT_EQ(scheduler.current(), number);
        ++seen;
        scheduler.yield();
      }
    });
  EXPECT_EQ(scheduler.run(never_idle), Scheduler::Ending::all_ended);
  EXPECT_EQ(seen, 3 * kFibers);
  EXPECT_TRUE(running.empty());
}

}  // namespace
}  // namespace antiphon::sim
