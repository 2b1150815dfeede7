// A thread that makes progress by itself, over a transport that fails.
#include "process/progress_thread.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace antiphon::process {
namespace {

class Dozing final : public progress::Parking {
 public:
  [[nodiscard]] int spin_looks() const noexcept override { return 0; }
  bool breathe(int, Others) noexcept override { return true; }
  [[nodiscard]] bool crowded() const noexcept override { return false; }
  Ticket announce(const base::WaitReason&) noexcept override { return 0; }
  bool park(Ticket, Patience) noexcept override {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    return false;
  }
  void retract() noexcept override {}
  void wake_own_threads() noexcept override {}
};

class Failing final : public transport::Transport {
 public:
  std::unique_ptr<transport::Channel> connect(int) override { return nullptr; }
  bool poll(const transport::Dispatcher&) override { throw std::runtime_error("a packet that nobody knows"); }
};

TEST(ProgressThreadDeath, EndsTheJobWithASentenceWhenALookFails) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto fail = [] {
    const transport::Dispatcher dispatcher;
    Dozing parking;
    progress::Lane lane{true};
    progress::Progress progress(dispatcher, parking, lane);
    progress.on_failure([](const base::Error& error) {
      std::fprintf(stderr, "the job ends: %s\n", error.message.c_str());
      std::_Exit(3);
    });
    Failing transport;
    progress.add(transport);
    const ProgressThread thread(progress);
    std::this_thread::sleep_for(std::chrono::seconds(20));
  };
  EXPECT_EXIT(fail(), testing::ExitedWithCode(3), "the job ends: a packet that nobody knows");
}

}  // namespace
}  // namespace antiphon::process
