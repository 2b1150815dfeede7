// Waiting, with a sleep and a transport that the test makes up.
#include "progress/progress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "transport/self/loopback.hpp"

namespace antiphon::progress {
namespace {

class CountedParking final : public Parking {
 public:
  [[nodiscard]] int spin_looks() const noexcept override { return looks; }
  bool breathe(int, Others others) noexcept override {
    told.push_back(others);
    if (const auto once = std::exchange(meanwhile, nullptr)) once();
    return true;
  }
  [[nodiscard]] bool crowded() const noexcept override { return false; }
  Ticket announce(const WaitReason& reason) noexcept override {
    ++announced;
    tag = reason.tag;
    return 0;
  }
  bool park(Ticket, Patience) noexcept override {
    ++parked;
    if (const auto once = std::exchange(asleep, nullptr)) once();
    return true;
  }
  void retract() noexcept override { ++retracted; }
  [[nodiscard]] bool is_waking() const noexcept override { return waking; }
  void wake_own_threads() noexcept override {}

  int looks = 0, announced = 0, parked = 0, retracted = 0, tag = 0;
  bool waking = false;
  std::vector<Others> told;
  std::function<void()> meanwhile;  // in the first breath
  std::function<void()> asleep;     // in the first sleep
};

// Fails, or completes a request, at the look with this number.
class OneEvent final : public transport::Transport {
 public:
  std::unique_ptr<transport::Channel> connect(int) override { return nullptr; }
  bool poll(const transport::Dispatcher&) override {
    ++looks;
    if (looks == fails_at || (fails_from != 0 && looks >= fails_from)) throw std::bad_alloc();
    if (throws) throw std::runtime_error("a broken look");
    if (looks == completes_at) request->complete();
    return looks == completes_at;
  }

  int looks = 0, fails_at = 0, fails_from = 0, completes_at = 0;
  bool throws = false;
  objects::Request* request = nullptr;
};

class Waiting final : public objects::Request {
 public:
  Waiting() : Request(Kind::generalized, {}) {}
  [[nodiscard]] base::WaitReason reason() const override { return {.tag = 42}; }
};

class ProgressTest : public testing::Test {
 protected:
  ProgressTest() {
    events.request = request.get();
    progress.add(events);
  }

  objects::Ref<Waiting> request = objects::Ref<Waiting>::adopt(new Waiting);
  transport::Dispatcher dispatcher;
  CountedParking parking;
  OneEvent events;
  Lane lane{false};
  Progress progress{dispatcher, parking, lane};
};

TEST_F(ProgressTest, SaysWhatARequestWaitsForBeforeItSleeps) {
  events.completes_at = 5;
  progress.wait(*request);
  EXPECT_GT(parking.parked, 0);
  EXPECT_EQ(parking.tag, 42);
  EXPECT_EQ(parking.announced, parking.retracted);
}

TEST_F(ProgressTest, DoesNotSleepWhereTheFirstLookFindsIt) {
  events.completes_at = 1;
  progress.wait(*request);
  EXPECT_EQ(parking.announced, 0);
}

TEST_F(ProgressTest, WaitsOnWhenALookFindsNoMemory) {
  events.fails_at = 2;
  events.completes_at = 5;
  progress.wait(*request);
  EXPECT_EQ(parking.announced, parking.retracted);
}

TEST_F(ProgressTest, GivesUpWhenMemoryIsMissingForLong) {
  events.fails_from = 1;
  std::string told;
  progress.on_giving_up([&](const base::Error& error) { told = error.message; });
  EXPECT_THROW(progress.wait(*request), base::Error);
  EXPECT_NE(told.find("out of memory"), std::string::npos) << told;
  EXPECT_EQ(parking.announced, parking.retracted);
}

TEST_F(ProgressTest, GivesUpWhenALookThrowsSomethingElse) {
  events.throws = true;
  std::string told;
  progress.on_giving_up([&](const base::Error& error) { told = error.message; });
  EXPECT_THROW(progress.wait(*request), base::Error);
  EXPECT_EQ(told, "a broken look");
  EXPECT_EQ(parking.announced, parking.retracted);
}

// A packet of its own whose handler finds no memory for the first few times.
TEST_F(ProgressTest, DoesNotForgetAPacketToItselfWhoseHandlerFindsNoMemory) {
  struct Receiver {
    void take(int, const transport::PacketHeader&, transport::Payload) {
      if (failures-- > 0) throw std::bad_alloc();
      ++taken;
    }
    int failures = 3, taken = 0;
  } receiver;
  transport::Loopback loopback(0, [&] { progress.sent_to_self(); });
  dispatcher.on<&Receiver::take>(1, receiver);
  dispatcher.on_lack_of_memory([&] { progress.lacks_memory(); });
  progress.add_own(loopback);
  const auto channel = loopback.connect(0);
  ASSERT_EQ(channel->try_send({.handler = 1}, {}), transport::SendStatus::sent);
  progress.wait([&] { return receiver.taken == 1; }, [] { return WaitReason{}; });
  EXPECT_FALSE(progress.poll());
  EXPECT_EQ(receiver.taken, 1);
}

// Two engines, of which the first finds no memory.
TEST_F(ProgressTest, PushesTheOthersWhenOneFindsNoMemory) {
  struct Engine final : Pusher {
    bool push() override {
      if (failures-- > 0) throw std::bad_alloc();
      work = false;
      return true;
    }
    [[nodiscard]] bool has_work() const noexcept override { return work; }
    void begin() {
      work = true;
      has_begun();
    }
    int failures = 0;
    bool work = false;
  } first, second;
  progress.add(first);
  progress.add(second);
  first.failures = 2;
  first.begin();
  second.begin();
  EXPECT_TRUE(progress.poll());
  EXPECT_TRUE(first.work);
  EXPECT_FALSE(second.work);
  progress.wait([&] { return !first.work; }, [] { return WaitReason{}; });
  EXPECT_EQ(first.failures, -1);
}

TEST_F(ProgressTest, RunsUserStepsThoughAnEngineFindsNoMemory) {
  struct Step final : UserStep {
    void run() override {}
    void ran(std::exception_ptr) noexcept override { ++times; }
    int times = 0;
  } step;
  events.fails_at = 1;
  progress.add(step);
  progress.wait([&] { return step.times == 1; }, [] { return WaitReason{}; });
  EXPECT_EQ(step.times, 1);
}

TEST_F(ProgressTest, InsistsOnADeedUntilThereIsMemory) {
  int attempts = 0;
  const int made = progress.insist([&] {
    if (++attempts < 4) throw std::bad_alloc();
    return 17;
  });
  EXPECT_EQ(made, 17);
  EXPECT_EQ(attempts, 4);
}

TEST_F(ProgressTest, BeginsAPartOfACollectiveAgainButGivesUpInTheMiddle) {
  int attempts = 0;
  progress.take_part([&] {
    if (++attempts < 3) throw std::bad_alloc();
  });
  EXPECT_EQ(attempts, 3);
  std::string told;
  progress.on_giving_up([&](const base::Error& error) { told = error.message; });
  const auto fail_in_the_middle = [&] {
    progress.part_begins();
    throw std::bad_alloc();
  };
  EXPECT_THROW(progress.take_part(fail_in_the_middle), base::Error);
  EXPECT_NE(told.find("in the middle of a collective"), std::string::npos) << told;
}

// One thread waits, with the lane in its hands; what do its breaths know of others?
class AmongThreads : public testing::Test {
 protected:
  using Others = Parking::Others;
  AmongThreads() {
    parking.looks = 10;
    events.request = request.get();
    events.completes_at = 3;  // after two breaths
    progress.add(events);
    lane.lock();
  }
  ~AmongThreads() override { lane.unlock(); }

  objects::Ref<Waiting> request = objects::Ref<Waiting>::adopt(new Waiting);
  transport::Dispatcher dispatcher;
  CountedParking parking;
  OneEvent events;
  Lane lane{true};
  Progress progress{dispatcher, parking, lane};
};

TEST_F(AmongThreads, NobodyNeedsTheCoreOfTheOnlyOneInMpi) {
  progress.wait(*request);
  EXPECT_EQ(parking.told, (std::vector{Others::content, Others::content}));
}

TEST_F(AmongThreads, OneThatWantsTheLaneGetsIt) {
  std::atomic<bool> was_inside = false;
  std::thread other([&] {
    const std::lock_guard held(lane);
    was_inside = true;
  });
  while (!lane.is_wanted()) std::this_thread::yield();
  parking.meanwhile = [&] { other.join(); };
  progress.wait(*request);
  EXPECT_TRUE(was_inside);
  EXPECT_EQ(parking.told, (std::vector{Others::waiting, Others::content}));
}

TEST_F(AmongThreads, TheLibrarysOwnDoesNotHurry) {
  std::thread own([&] {
    lane.lock(Lane::Thread::of_library);
    lane.unlock();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  parking.meanwhile = [&] { own.join(); };
  progress.wait(*request);
  EXPECT_EQ(parking.told, (std::vector{Others::content, Others::content}));
}

TEST_F(AmongThreads, OneThatLooksMayNeedTheCore) {
  parking.meanwhile = [&] {
    const std::lock_guard held(lane);
    progress.look([] { return false; });
  };
  progress.wait(*request);
  EXPECT_EQ(parking.told, (std::vector{Others::content, Others::waiting}));
}

TEST_F(AmongThreads, OneThatHasBeenRungForMayNeedTheCore) {
  parking.looks = 0;
  parking.asleep = [&] {
    const std::lock_guard held(lane);
    for (const bool waking : {false, true}) {
      parking.waking = waking;
      progress.look([] { return false; });
    }
  };
  events.completes_at = 5;
  progress.wait(*request);
  EXPECT_EQ(parking.told, (std::vector{Others::waiting}));
}

TEST_F(AmongThreads, TwoThatWaitMakeRoomForEachOther) {
  const auto second = objects::Ref<Waiting>::adopt(new Waiting);
  events.completes_at = 4;
  parking.meanwhile = [&] {
    const std::lock_guard held(lane);
    events.request = second.get();
    progress.wait(*second);
    events.request = request.get();
    events.completes_at = 5;
  };
  progress.wait(*request);
  EXPECT_EQ(parking.told, (std::vector{Others::content, Others::waiting, Others::waiting}));
}

}  // namespace
}  // namespace antiphon::progress
