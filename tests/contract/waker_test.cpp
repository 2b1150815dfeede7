// Sleeping threads of a process, on its doorbell alone and on descriptors as well: nothing that may wake them is
// lost.
#include <sys/eventfd.h>

#include <functional>
#include <ostream>
#include <thread>

#include "base/rng.hpp"
#include "packets.hpp"
#include "platform/linux/doorbell.hpp"
#include "platform/pause.hpp"
#include "process/waker.hpp"
#include "rank_threads.hpp"
#include "watchdog.hpp"

namespace antiphon::contract {
namespace {

using platform::OwnedDescriptor;
using process::Descriptors;
using process::Waker;

enum class On { word, descriptors };
void PrintTo(On on, std::ostream* to) { *to << (on == On::word ? "Word" : "Descriptors"); }

// A process whose threads sleep until `events` is what they wait for. Another process adds to it and rings; the
// network adds to it by making a descriptor readable.
class Bedroom {
 public:
  explicit Bedroom(On on) : descriptors_(on == On::word ? nullptr : std::make_unique<Descriptors>()) {
    if (descriptors_) {
      EXPECT_TRUE(descriptors_->network.add(network_.get(), this));
    }
  }
  void wait_for(std::uint64_t wanted) {
    while (events_ < wanted) {
      const std::uint32_t rings = waker_.rings();
      sleeping_.fetch_add(1);
      if (look() < wanted) waker_.sleep(rings, 0);
      sleeping_.fetch_sub(1);
      waker_.end_sleep();
    }
  }
  void ring_from_another_process() {
    events_.fetch_add(1);
    if (sleeping_ != 0) bell_.ring(descriptors_ ? ringer_.descriptor() : -1);
  }
  void ring_from_a_thread() {
    events_.fetch_add(1);
    if (sleeping_ != 0) waker_.wake_own_threads();
  }
  void come_from_the_network() { eventfd_write(network_.get(), 1); }
  [[nodiscard]] int sleeping() const { return sleeping_; }
  [[nodiscard]] std::uint64_t rings() const { return bell_.rings; }
  [[nodiscard]] Waker& waker() { return waker_; }

 private:
  // Reading what came from the network wakes the others, as a poll that has moved something does.
  std::uint64_t look() {
    eventfd_t came = 0;
    if (eventfd_read(network_.get(), &came) == 0) {
      events_.fetch_add(came);
      waker_.wake_own_threads();
    }
    return events_;
  }

  platform::Doorbell bell_{};
  platform::BellSocket ringer_;
  OwnedDescriptor network_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  std::unique_ptr<Descriptors> descriptors_;
  std::atomic<std::uint64_t> events_ = 0;
  std::atomic<int> sleeping_ = 0;
  Waker waker_{bell_, descriptors_.get()};
};

class Sleepers : public testing::TestWithParam<On> {
 protected:
  // Threads sleep for each event in turn; events come at a moment drawn anew each time.
  void never_miss(int threads, const std::function<void(Bedroom&, std::uint64_t round)>& wake) {
    const std::uint64_t rounds = std::getenv("ANTIPHON_TEST_LONG") ? 100'000 : 5'000;
    Bedroom room(GetParam());
    std::atomic<std::uint64_t> progress = 0;
    const Watchdog watchdog("threads that sleep", progress);
    std::vector<std::atomic<std::uint64_t>> reached(static_cast<std::size_t>(threads));
    std::thread waking([&] {
      base::Rng rng(5);
      for (std::uint64_t round = 1; round <= rounds; ++round) {
        for (int moment = static_cast<int>(rng.below(2000)); moment > 0; --moment) platform::pause();
        wake(room, round);
        for (const auto& one : reached) wait_until([&] { return one >= round; });
        progress = round;
      }
    });
    as_ranks(threads, [&](int thread) {
      for (std::uint64_t round = 1; round <= rounds; ++round) {
        room.wait_for(round);
        reached[static_cast<std::size_t>(thread)] = round;
      }
    });
    waking.join();
  }
};
INSTANTIATE_TEST_SUITE_P(On, Sleepers, testing::Values(On::word, On::descriptors),
                         [](const auto& on) { return testing::PrintToString(on.param); });

TEST_P(Sleepers, HearARingOfAnotherProcess) {
  for (const int threads : {1, 3})
    never_miss(threads, [](Bedroom& room, std::uint64_t) { room.ring_from_another_process(); });
}

TEST_P(Sleepers, HearAThreadOfTheirOwn) {
  for (const int threads : {1, 3})
    never_miss(threads, [](Bedroom& room, std::uint64_t) { room.ring_from_a_thread(); });
}

TEST_P(Sleepers, HearWhateverComesFromAnySide) {
  const bool network = GetParam() == On::descriptors;
  for (const int threads : {1, 2, 3, 5})
    never_miss(threads, [&](Bedroom& room, std::uint64_t round) {
      if (network && round % 3 == 0) return room.come_from_the_network();
      round % 3 == 1 ? room.ring_from_another_process() : room.ring_from_a_thread();
    });
}

// The first one to fall asleep watches the descriptors. When it goes, another one has to.
TEST(ManySleepers, HaveAWatcherAlsoWhenTheFirstOneHasGone) {
  Bedroom room(On::descriptors);
  std::atomic<std::uint64_t> progress = 0;
  const Watchdog watchdog("sleepers whose watcher goes", progress);
  std::thread first([&] { room.wait_for(1); });
  wait_until([&] { return room.sleeping() == 1; });
  std::thread second([&] { room.wait_for(2); });
  wait_until([&] { return room.sleeping() == 2; });
  room.come_from_the_network();
  first.join();
  progress = 1;
  room.come_from_the_network();
  second.join();
}

TEST(ASleeper, WakesUpAtTheEndOfItsTimeAndSaysSo) {
  for (const On on : {On::word, On::descriptors}) {
    Bedroom room(on);
    EXPECT_FALSE(room.waker().sleep(room.waker().rings(), 1'000'000));
    room.waker().end_sleep();
    EXPECT_TRUE(room.waker().sleep(room.waker().rings() - 1, 1'000'000));
  }
}

}  // namespace
}  // namespace antiphon::contract
