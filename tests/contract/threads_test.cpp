// Shared memory between two threads, as between two processes: one sends without rest, the other polls.
#include <thread>

#include "base/rng.hpp"
#include "packets.hpp"
#include "shm_ends.hpp"
#include "watchdog.hpp"

namespace antiphon::contract {
namespace {

void stream(std::uint64_t packets, std::size_t largest) {
  ShmEnds ends(false);
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

TEST(TwoThreads, ShareARingOfSmallPackets) { stream(500'000, 24); }
TEST(TwoThreads, ShareARingOfAllSizes) { stream(50'000, std::size_t{16} << 10); }

}  // namespace
}  // namespace antiphon::contract
