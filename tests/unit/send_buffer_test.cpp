// Room for buffered messages: who gets which bytes, and when they are free again.
#include "engine/pt2pt/send_buffer.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <vector>

#include "base/rng.hpp"

namespace antiphon::pt2pt {
namespace {

using objects::Ref;
using objects::Request;

Ref<Request> pending() { return Ref<Request>::adopt(new Request(Request::Kind::send, {})); }

struct Buffer {
  explicit Buffer(std::size_t bytes) : memory(bytes), room(memory.data(), bytes) {}

  // Null if there is no room.
  std::byte* put(std::size_t bytes, Ref<Request> request) {
    std::byte* place = nullptr;
    const bool fits = room.put(
        bytes, [&](std::byte* found) { place = found; }, [&](std::byte*) { return request; });
    return fits ? place : nullptr;
  }

  std::vector<std::byte> memory;
  SendBuffer room;
};

TEST(SendBuffer, HoldsAsManyBytesAsItHas) {
  Buffer buffer(100);
  EXPECT_NE(buffer.put(60, pending()), nullptr);
  EXPECT_NE(buffer.put(40, pending()), nullptr);
  EXPECT_EQ(buffer.put(1, pending()), nullptr);
  EXPECT_NE(buffer.put(0, pending()), nullptr);
  EXPECT_EQ(buffer.room.taken(), 100u);
}

TEST(SendBuffer, HasRoomAgainForWhatHasGoneWherever) {
  Buffer buffer(90);
  std::vector<Ref<Request>> requests;
  std::vector<std::byte*> places;
  for (int i = 0; i < 3; ++i) places.push_back(buffer.put(30, requests.emplace_back(pending())));
  requests[1]->complete();
  EXPECT_EQ(buffer.put(31, pending()), nullptr);
  EXPECT_EQ(buffer.put(30, pending()), places[1]);
}

TEST(SendBuffer, KeepsNothingOfWhatGoesAtOnce) {
  Buffer buffer(10);
  for (int i = 0; i < 100; ++i) EXPECT_NE(buffer.put(10, {}), nullptr);
  EXPECT_TRUE(buffer.room.reap());
}

TEST(SendBuffer, TakesMemoryOfItsOwnIfItIsAutomatic) {
  SendBuffer room;
  Ref<Request> request = pending();
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(room.put(
        1'000'000, [](std::byte* place) { place[999'999] = std::byte{1}; }, [&](std::byte*) { return request; }));
  EXPECT_EQ(room.under_way().size(), 3u);
  request->complete();
  EXPECT_TRUE(room.reap());
}

// Messages come and go at random; no two may ever share a byte, and whatever fits the largest gap must be taken.
TEST(SendBuffer, NeverGivesAByteTwice) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    base::Rng rng(seed);
    constexpr std::size_t kBytes = 1000;
    Buffer buffer(kBytes);
    struct Held {
      std::size_t bytes;
      Ref<Request> request;
    };
    std::map<std::size_t, Held> held;  // by offset
    for (int step = 0; step < 300; ++step) {
      if (!held.empty() && rng.percent(50)) {
        auto gone = std::next(held.begin(), rng.below(static_cast<int>(held.size())));
        gone->second.request->complete();
        held.erase(gone);
        continue;
      }
      const std::size_t bytes = 1 + rng.below(std::size_t{300});
      std::size_t largest_gap = 0, end = 0;
      for (const auto& [offset, message] : held) {
        largest_gap = std::max(largest_gap, offset - end);
        end = offset + message.bytes;
      }
      largest_gap = std::max(largest_gap, kBytes - end);
      Ref<Request> request = pending();
      const std::byte* place = buffer.put(bytes, request);
      ASSERT_EQ(place != nullptr, bytes <= largest_gap) << "seed " << seed << " step " << step;
      if (!place) continue;
      const auto offset = static_cast<std::size_t>(place - buffer.memory.data());
      const auto next = held.lower_bound(offset);
      ASSERT_LE(offset + bytes, next == held.end() ? kBytes : next->first) << "seed " << seed;
      if (next != held.begin()) {
        ASSERT_LE(std::prev(next)->first + std::prev(next)->second.bytes, offset);
      }
      held[offset] = {bytes, request};
    }
  }
}

}  // namespace
}  // namespace antiphon::pt2pt
