// The user's code that progress runs: outside of the lane, by a thread that looks or waits, and never twice.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <thread>

#include "progress/progress.hpp"

namespace antiphon::progress {
namespace {

class Awake final : public Parking {
 public:
  [[nodiscard]] int spin_looks() const noexcept override { return 0; }
  bool breathe(int, Others) noexcept override { return true; }
  [[nodiscard]] bool crowded() const noexcept override { return false; }
  [[nodiscard]] Ticket announce(const WaitReason&) noexcept override { return 0; }
  bool park(Ticket, Patience) noexcept override { return true; }
  void retract() noexcept override {}
  void wake_own_threads() noexcept override {}
};

struct Step final : UserStep {
  explicit Step(std::function<void()> what) : code(std::move(what)) {}
  void run() override { code(); }
  void ran(std::exception_ptr with) noexcept override {
    ++times;
    thrown = with != nullptr;
  }
  std::function<void()> code;
  int times = 0;
  bool thrown = false;
};

class UserSteps : public testing::Test {
 protected:
  transport::Dispatcher dispatcher_;
  Awake parking_;
  Lane lane_{true};
  Progress progress_{dispatcher_, parking_, lane_};
};

TEST_F(UserSteps, AreRunOutsideTheLaneWhichAnotherThreadMayTake) {
  bool free = false;
  const auto other_thread = [&] {
    free = lane_.try_lock();
    if (free) lane_.unlock();
  };
  Step step([&] { std::thread(other_thread).join(); });
  const std::lock_guard held(lane_);
  progress_.add(step);
  EXPECT_EQ(step.times, 0);
  progress_.wait([&] { return step.times == 1; }, [] { return WaitReason{}; });
  EXPECT_TRUE(free);
  std::thread(other_thread).join();
  EXPECT_FALSE(free) << "the lane was not taken again";
}

TEST_F(UserSteps, LeaveToTheCallWhatItSaysOfItself) {
  const std::lock_guard held(lane_);
  lane_.call().procedure = "MPI_Wait";
  Step step([&] {
    const std::lock_guard inner(lane_);
    lane_.call().procedure = "MPI_Type_size";
  });
  progress_.add(step);
  EXPECT_FALSE(progress_.look([] { return false; }));
  EXPECT_EQ(step.times, 1);
  EXPECT_STREQ(lane_.call().procedure, "MPI_Wait");
}

TEST_F(UserSteps, MayWaitForOnesThatComeAfterThem) {
  Step second([] {});
  Step first([&] {
    const std::lock_guard inner(lane_);
    progress_.wait([&] { return second.times == 1; }, [] { return WaitReason{}; });
  });
  const std::lock_guard held(lane_);
  progress_.add(first);
  progress_.add(second);
  progress_.wait([&] { return first.times == 1; }, [] { return WaitReason{}; });
  EXPECT_EQ(second.times, 1);
  EXPECT_TRUE(progress_.is_quiet());
}

TEST_F(UserSteps, ThatThrowTellTheOperationThatTheyAreOf) {
  Step step([] { throw std::runtime_error("no"); });
  const std::lock_guard held(lane_);
  progress_.add(step);
  EXPECT_TRUE(progress_.look([&] { return step.times == 1; }));
  EXPECT_TRUE(step.thrown);
}

}  // namespace
}  // namespace antiphon::progress
