// What each process of a node keeps in shared memory for the others: the queue through which all of them can send
// to it, the offers of rings, and the counters of direct copies that it receives. An Inbox says where these are in
// the memory of one process, which is zero at first; it owns nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.hpp"
#include "transport/peer_memory.hpp"
#include "transport/shm/ring.hpp"

namespace antiphon::transport::shm {

// A ring that a receiver offers to one sender. The sender takes it, or the receiver takes it back.
class Offer {
 public:
  // Called by the receiver.
  void make(int ring) noexcept { word_.store(offered(ring), std::memory_order_release); }
  [[nodiscard]] bool take_back(int ring) noexcept { return change(offered(ring), kNone); }
  void end() noexcept { word_.store(kNone, std::memory_order_release); }
  // Called by the sender. kNoRing: no ring is offered.
  static constexpr int kNoRing = -1;
  [[nodiscard]] int ring() const noexcept {
    const std::uint16_t word = word_.load(std::memory_order_acquire);
    return word == kNone || word % 2 != 0 ? kNoRing : word / 2 - 1;
  }
  [[nodiscard]] bool take(int ring) noexcept { return change(offered(ring), offered(ring) + 1); }
  [[nodiscard]] bool is_taken() const noexcept { return word_.load(std::memory_order_acquire) % 2 != 0; }

 private:
  static constexpr std::uint16_t kNone = 0;
  static constexpr std::uint16_t offered(int ring) noexcept { return static_cast<std::uint16_t>(2 * (ring + 1)); }
  bool change(int from, int to) noexcept {
    auto expected = static_cast<std::uint16_t>(from);
    return word_.compare_exchange_strong(expected, static_cast<std::uint16_t>(to), std::memory_order_acq_rel);
  }

  std::atomic<std::uint16_t> word_;
};

class Inbox {
 public:
  // The inbox of one of `processes` processes, in `bytes` bytes of memory.
  Inbox(std::byte* memory, std::size_t bytes, int processes)
      : memory_(memory), bytes_(bytes), processes_(static_cast<std::size_t>(processes)) {}

  // How far the writers of the queue have come (claims.hpp).
  [[nodiscard]] std::atomic<std::uint64_t>& claimed() const { return fixed().claimed; }
  [[nodiscard]] SharedWork& work(unsigned number) const { return fixed().works[number]; }
  [[nodiscard]] Offer& offer(int sender) const { return reinterpret_cast<Offer*>(memory_ + sizeof(Fixed))[sender]; }
  // Bit r % 64 of word r / 64: rank r waits for room in the queue.
  [[nodiscard]] std::atomic<std::uint64_t>& waiting(std::size_t word) const {
    return reinterpret_cast<std::atomic<std::uint64_t>*>(memory_ + sizeof(Fixed) + offers_bytes())[word];
  }
  [[nodiscard]] std::size_t waiting_words() const { return (processes_ + 63) / 64; }
  // A RingArea and its payload bytes.
  [[nodiscard]] std::byte* queue() const { return memory_ + queue_offset(); }
  [[nodiscard]] std::size_t queue_bytes() const { return bytes_ - queue_offset(); }

 private:
  struct Fixed {
    alignas(base::kCacheLinePair) std::atomic<std::uint64_t> claimed;
    alignas(base::kCacheLinePair) SharedWork works[PeerMemory::kSharedWorks];
  };
  [[nodiscard]] Fixed& fixed() const { return *reinterpret_cast<Fixed*>(memory_); }
  [[nodiscard]] std::size_t offers_bytes() const { return base::whole_line_pairs(processes_ * sizeof(Offer)); }
  [[nodiscard]] std::size_t queue_offset() const {
    return sizeof(Fixed) + offers_bytes() + base::whole_line_pairs(waiting_words() * sizeof(std::uint64_t));
  }

  std::byte* memory_;
  std::size_t bytes_;
  std::size_t processes_;
};

}  // namespace antiphon::transport::shm
