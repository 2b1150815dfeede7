// Waiting, with a sleep and a transport that the test makes up.
#include "progress/progress.hpp"

#include <gtest/gtest.h>

#include <new>

namespace antiphon::progress {
namespace {

class CountedParking final : public Parking {
 public:
  [[nodiscard]] int spin_looks() const noexcept override { return 0; }
  bool breathe(int) noexcept override { return true; }
  [[nodiscard]] bool crowded() const noexcept override { return false; }
  Ticket announce(const WaitReason& reason) noexcept override {
    ++announced;
    tag = reason.tag;
    return 0;
  }
  bool park(Ticket, Patience) noexcept override {
    ++parked;
    return true;
  }
  void retract() noexcept override { ++retracted; }
  void wake_own_threads() noexcept override {}

  int announced = 0, parked = 0, retracted = 0, tag = 0;
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

TEST_F(ProgressTest, TakesBackTheAnnouncementOfASleepWhenALookFails) {
  events.fails_at = 2;
  EXPECT_THROW(progress.wait(*request), std::bad_alloc);
  EXPECT_EQ(parking.announced, 1);
  EXPECT_EQ(parking.retracted, 1);
}

}  // namespace
}  // namespace antiphon::progress
