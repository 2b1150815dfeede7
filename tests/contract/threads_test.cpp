// Shared memory between two threads, as between two processes: one sends without rest, the other polls.
#include <thread>

#include "base/rng.hpp"
#include "packets.hpp"
#include "shm_ends.hpp"
#include "watchdog.hpp"

namespace antiphon::contract {
namespace {

void stream(std::uint64_t packets, std::size_t largest, const ShmSetup& setup = {}) {
  ShmEnds ends(setup);
  std::atomic<std::uint64_t> progress = 0;
  const Watchdog watchdog("stream between threads", progress);
  std::thread sender([&] {
    base::Rng rng(largest);
    const auto channel = ends.end(0).connect(1);
    for (std::uint64_t number = 0; number < packets; ++number) {
      const std::size_t bytes = rng.below(largest + 1);
      const transport::Payload payload{content_of(number, bytes), bytes};
      while (channel->try_send(header_of(number), payload) != transport::SendStatus::sent) std::this_thread::yield();
    }
  });
  Checker checker(0);
  while (checker.taken() < packets) {
    if (!ends.end(1).poll(checker.dispatcher())) std::this_thread::yield();
    progress = checker.taken();
  }
  sender.join();
  EXPECT_FALSE(ends.end(1).poll(checker.dispatcher()));
}

// Takes packets of several streams, whose senders the tag tells apart: each must be whole, and in order.
class StreamChecker {
 public:
  explicit StreamChecker(std::size_t streams) : taken_(streams) {
    dispatcher_.on<&StreamChecker::take>(kHandler, *this);
  }
  [[nodiscard]] const transport::Dispatcher& dispatcher() const { return dispatcher_; }
  [[nodiscard]] std::uint64_t taken() const { return all_; }

 private:
  void take(int, const transport::PacketHeader& header, transport::Payload payload) {
    std::uint64_t& number = taken_[static_cast<std::size_t>(header.tag)];
    EXPECT_EQ(header.word[0], number);
    EXPECT_EQ(header.word[1], payload.size());
    EXPECT_TRUE(payload.empty() ||
                std::memcmp(payload.data(), content_of(number, payload.size()), payload.size()) == 0);
    ++number;
    ++all_;
  }

  transport::Dispatcher dispatcher_;
  std::vector<std::uint64_t> taken_;
  std::atomic<std::uint64_t> all_ = 0;
};

// Several threads send through one channel, and two poll, beside each other.
void many_streams(int streams, std::uint64_t each, std::size_t largest, int rings) {
  ShmEnds ends({.threads = true, .rings_each = rings});
  StreamChecker checker(static_cast<std::size_t>(streams));
  std::atomic<std::uint64_t> progress = 0;
  const Watchdog watchdog("streams of many threads", progress);
  const auto channel = ends.end(0).connect(1);
  ASSERT_TRUE(channel->capabilities().many_senders);
  std::vector<std::thread> threads;
  for (int stream = 0; stream < streams; ++stream)
    threads.emplace_back([&, stream] {
      base::Rng rng(static_cast<std::uint64_t>(stream) + largest);
      for (std::uint64_t number = 0; number < each; ++number) {
        const std::size_t bytes = rng.below(largest + 1);
        const transport::PacketHeader header{.handler = kHandler, .tag = stream, .word = {number, bytes}};
        while (channel->try_send(header, {content_of(number, bytes), bytes}) != transport::SendStatus::sent)
          std::this_thread::yield();
      }
    });
  const std::uint64_t all = each * static_cast<std::uint64_t>(streams);
  threads.emplace_back([&] {
    bool refused = false;
    while (checker.taken() < all)
      if (!ends.end(1).try_poll(checker.dispatcher(), &refused)) std::this_thread::yield();
    EXPECT_FALSE(refused);
  });
  while (checker.taken() < all) {
    if (!ends.end(1).poll(checker.dispatcher())) std::this_thread::yield();
    progress = checker.taken();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(ends.end(1).poll(checker.dispatcher()));
}

// What the dispatcher refuses stays where it is, for one that takes it.
TEST(ManyThreads, LeaveWhatIsRefusedToAnother) {
  ShmEnds ends({.threads = true});
  const auto channel = ends.end(0).connect(1);
  ASSERT_EQ(channel->try_send(header_of(0), {content_of(0, 100), 100}), transport::SendStatus::sent);
  const transport::Dispatcher dispatcher(transport::Dispatcher::Threads::many);
  const transport::Dispatcher& none = dispatcher.without_lane();
  for (int i = 0; i < 3; ++i) {
    bool refused = false;
    EXPECT_FALSE(ends.end(1).try_poll(none, &refused));
    EXPECT_TRUE(refused);
  }
  Checker checker(0);
  EXPECT_TRUE(ends.end(1).poll(checker.dispatcher()));
  EXPECT_EQ(checker.taken(), 1u);
}

TEST(ManyThreads, ShareARingOfSmallPackets) { many_streams(4, 50'000, 24, 1); }
TEST(ManyThreads, ShareARingOfAllSizes) { many_streams(3, 10'000, std::size_t{4} << 10, 1); }

TEST(ManyThreads, ShareAQueueOfSmallPackets) { many_streams(4, 50'000, 24, 0); }
TEST(ManyThreads, ShareAQueueOfAllSizes) { many_streams(3, 10'000, std::size_t{4} << 10, 0); }

TEST(TwoThreads, ShareAQueueOfSmallPackets) { stream(500'000, 24, {.rings_each = 0}); }
TEST(TwoThreads, ShareAQueueOfAllSizes) { stream(50'000, std::size_t{4} << 10, {.rings_each = 0}); }
TEST(TwoThreads, ShareARingOfSmallPackets) { stream(500'000, 24); }
TEST(TwoThreads, ShareARingOfAllSizes) { stream(50'000, std::size_t{16} << 10); }

}  // namespace
}  // namespace antiphon::contract
