// Waiting, with a sleep and a transport that the test makes up.
#include "progress/progress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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
    if (looks == fails_at) throw std::bad_alloc();
    if (looks == completes_at) request->complete();
    return looks == completes_at;
  }

  int looks = 0, fails_at = 0, completes_at = 0;
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

// A handler that has stopped halfway cannot be told of by the call that happens to look.
TEST_F(ProgressTest, EndsTheJobWhenALookFails) {
  struct Ended {};
  std::string told;
  progress.on_failure([&](const base::Error& error) {
    told = error.message;
    throw Ended();
  });
  events.fails_at = 2;
  EXPECT_THROW(progress.wait(*request), Ended);
  EXPECT_NE(told.find("out of memory"), std::string::npos) << told;
  EXPECT_EQ(parking.announced, 1);
  EXPECT_EQ(parking.retracted, 1);
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
