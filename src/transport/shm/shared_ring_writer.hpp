// The writing end of a ring that several threads of one process use at once. Belongs to a SharedRing, which
// belongs to a channel.
#pragma once

#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "transport/shm/claims.hpp"
#include "transport/shm/neighbourhood.hpp"

namespace antiphon::transport::shm {

// A writer without a ring, or that has left its ring, has room for nothing.
class SharedRingWriter : private Claims {
 public:
  // Called once, before other threads use this.
  void begin(std::byte* area, std::size_t area_bytes) noexcept {
    static_cast<RingMemory&>(*this) = RingMemory(area, area_bytes);
    packet_limit_ = Claims::packet_limit();
    line_limit_ = Claims::line_limit();
    claimed_ = Position{packet_limit_ - RingArea::kCells, line_limit_ - capacity_ / base::kCacheLine}.word();
  }

  [[nodiscard]] bool try_write_short(const PacketHeader& header, Payload payload) noexcept {
    if (payload.size() > sizeof(Cell::inline_payload)) return false;
    Claim claim{};
    if (!try_claim(payload.size(), &claim)) return false;
    base::copy_bytes<sizeof(Cell::inline_payload)>(claim.room, payload.data(), payload.size());
    publish(claim, header, payload.size());
    return true;
  }
  [[nodiscard]] bool try_write(const PacketHeader& header, Payload payload) noexcept {
    Claim claim{};
    if (!try_claim(payload.size(), &claim)) return false;
    base::copy_bytes(claim.room, payload.data(), payload.size());
    publish(claim, header, payload.size());
    return true;
  }

  // Writes a packet in two steps; used by one thread at a time.
  [[nodiscard]] std::byte* reserve(std::size_t bytes) noexcept {
    return try_claim(bytes, &reserved_) ? reserved_.room : nullptr;
  }
  void commit(const PacketHeader& header, std::size_t bytes) noexcept { publish(reserved_, header, bytes); }

  // Marks the end of what all threads write here, and moves the claims so far ahead that there is no room for others.
  // False if there is no room for the mark.
  [[nodiscard]] bool try_leave() noexcept {
    std::uint64_t claimed = claimed_.load(std::memory_order_acquire);
    for (;;) {
      const Position from = Position::of(claimed);
      if (!has_room({from.packet + 1, from.line})) return false;
      if (!claimed_.compare_exchange_weak(claimed, Position{from.packet + kOutOfReach, from.line}.word(),
                                          std::memory_order_acq_rel))
        continue;
      base::take_from_process(cell(from.packet).line(), base::kCacheLine);
      publish_mark(from.packet);
      return true;
    }
  }

 private:
  static constexpr std::uint64_t kOutOfReach = kPackets / 4;

  [[nodiscard]] bool try_claim(std::size_t bytes, Claim* claim) noexcept {
    return Claims::try_claim(claimed_, bytes, claim, [this](const Position& to) {
      return !is_past(to, packet_limit_.load(std::memory_order_acquire),
                      line_limit_.load(std::memory_order_acquire)) ||
             has_room(to);
    });
  }
  // Limits only grow. If two threads store them in the wrong order, a thread will read them once more.
  [[nodiscard]] bool has_room(const Position& to) noexcept {
    if (!area_) return false;
    packet_limit_.store(Claims::packet_limit(), std::memory_order_release);
    line_limit_.store(Claims::line_limit(), std::memory_order_release);
    return !is_past(to, packet_limit_.load(std::memory_order_acquire), line_limit_.load(std::memory_order_acquire));
  }

  alignas(base::kCacheLine) std::atomic<std::uint64_t> claimed_ = Position{kOutOfReach, 0}.word();
  std::atomic<std::uint64_t> packet_limit_ = 0;
  std::atomic<std::uint64_t> line_limit_ = 0;
  Claim reserved_{};
};

// The ring that a channel has at present, for all threads. When a channel leaves a ring, a thread may still be about
// to write there, so writers live as long as the channel. To limit their number, the channel keeps the last of
// kMostWriters rings.
class SharedRing {
 public:
  [[nodiscard]] bool try_write_short(const PacketHeader& header, Payload payload) noexcept {
    return now_.load(std::memory_order_acquire)->try_write_short(header, payload);
  }
  [[nodiscard]] bool try_write(const PacketHeader& header, Payload payload, const Receipt& = {}) noexcept {
    return now_.load(std::memory_order_acquire)->try_write(header, payload);
  }
  [[nodiscard]] std::byte* reserve(std::size_t bytes) noexcept {
    reserving_ = now_.load(std::memory_order_acquire);
    return reserving_->reserve(bytes);
  }
  void commit(const PacketHeader& header, std::size_t bytes, const Receipt&) noexcept {
    reserving_->commit(header, bytes);
  }
  // Not used: threads that read do not pass receipts to threads that write.
  static constexpr bool kTakesReceipts = false;
  void take(const Receipt&) noexcept {}

  // A thread holds this lock when it calls one of the following, or writes into the queue because there is no ring.
  [[nodiscard]] std::unique_lock<std::mutex> lock() noexcept { return std::unique_lock(changing_); }
  [[nodiscard]] bool has_ring() const noexcept { return now_.load(std::memory_order_relaxed) != &none_; }
  // Another thread may have begun to use a ring meanwhile.
  [[nodiscard]] bool try_again(const PacketHeader& header, Payload payload) noexcept {
    return try_write(header, payload);
  }
  [[nodiscard]] std::byte* reserve_again(std::size_t bytes) noexcept { return reserve(bytes); }
  // False if there is no memory for another writer.
  [[nodiscard]] bool prepare() noexcept {
    try {
      writers_.reserve(writers_.size() + 1);
      if (!next_) next_ = std::make_unique<SharedRingWriter>();
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }
  void begin(const Neighbourhood& node, std::byte* area, int) noexcept {
    next_->begin(area, node.ring_bytes);
    writers_.push_back(std::move(next_));
    now_.store(writers_.back().get(), std::memory_order_release);
  }
  [[nodiscard]] bool try_leave() noexcept {
    if (writers_.size() == kMostWriters || !now_.load(std::memory_order_relaxed)->try_leave()) return false;
    now_.store(&none_, std::memory_order_release);
    return true;
  }

 private:
  static constexpr std::size_t kMostWriters = 32;

  std::atomic<SharedRingWriter*> now_ = &none_;
  SharedRingWriter* reserving_ = nullptr;
  std::mutex changing_;
  std::vector<std::unique_ptr<SharedRingWriter>> writers_;  // of all rings so far
  std::unique_ptr<SharedRingWriter> next_;                  // created, but not used yet
  SharedRingWriter none_;
};

}  // namespace antiphon::transport::shm
