// A single-producer, single-consumer ring of packets in memory that two processes share. A packet starts on a cache
// line of its own and is contiguous; a small one is one line, written and read with one line's transfer.
//
//   line:  size word | header | payload ...        size word: 0 nothing here yet, kWrap go on at the start,
//                                                   else payload bytes + kPublished
//
// Before the producer publishes a packet it clears the size word behind it, so the consumer, which always looks
// at exactly the next size word, never mistakes an old payload for a packet. The area starts zero-filled.
#pragma once

#include <atomic>
#include <cstring>

#include "transport/packet.hpp"

namespace antiphon::transport::shm {

inline constexpr std::size_t kLine = 64;

template <std::size_t kBytes>
struct RingArea {
  static constexpr std::size_t kCapacity = kBytes;
  alignas(128) std::atomic<std::uint64_t> consumed;  // bytes since the start of time; written by the consumer
  alignas(128) std::byte data[kBytes];
};

struct PacketLine {
  std::atomic<std::uint32_t> size;
  std::uint32_t reserved;
  PacketHeader header;

  static constexpr std::uint32_t kWrap = 1, kPublished = 2;
  [[nodiscard]] std::byte* payload() { return reinterpret_cast<std::byte*>(this + 1); }
};
static_assert(sizeof(PacketLine) == 40);

constexpr std::size_t lines_for(std::size_t payload_bytes) {
  return (sizeof(PacketLine) + payload_bytes + kLine - 1) / kLine * kLine;
}

template <class Area>
class RingWriter {
 public:
  // The largest packet: two must fit, whatever the position, so that copying in and copying out overlap.
  static constexpr std::size_t kMaxPayload = Area::kCapacity / 4 - kLine;

  explicit RingWriter(Area& area) : area_(&area) {}

  [[nodiscard]] bool try_write(const PacketHeader& header, Payload payload) noexcept {
    const std::size_t bytes = lines_for(payload.size());
    std::size_t position = head_ % Area::kCapacity;
    const std::size_t to_end = Area::kCapacity - position;
    const std::size_t skipped = bytes + kLine > to_end ? to_end : 0;  // + kLine: the cleared word behind it fits too
    if (head_ + skipped + bytes + kLine > limit_) [[unlikely]] {
      limit_ = area_->consumed.load(std::memory_order_acquire) + Area::kCapacity;
      if (head_ + skipped + bytes + kLine > limit_) return false;
    }
    if (skipped != 0) [[unlikely]] {
      line(0).size.store(0, std::memory_order_relaxed);
      line(position).size.store(PacketLine::kWrap, std::memory_order_release);
      head_ += skipped;
      position = 0;
    }
    PacketLine& target = line(position);
    target.header = header;
    if (!payload.empty()) std::memcpy(target.payload(), payload.data(), payload.size());
    line(position + bytes).size.store(0, std::memory_order_relaxed);
    target.size.store(static_cast<std::uint32_t>(payload.size()) + PacketLine::kPublished, std::memory_order_release);
    head_ += bytes;
    return true;
  }

 private:
  PacketLine& line(std::size_t position) { return *reinterpret_cast<PacketLine*>(area_->data + position); }

  Area* area_;
  std::uint64_t head_ = 0;
  std::uint64_t limit_ = Area::kCapacity;
};

template <class Area>
class RingReader {
 public:
  explicit RingReader(Area& area) : area_(&area) {}

  // Hands the next packet to use(header, payload), in place; false if there is none. *freed is set when this gave
  // room back that the producer may be waiting for.
  template <class Use>
  bool read(Use&& use, bool* freed) {
    PacketLine* next = &line(tail_ % Area::kCapacity);
    std::uint32_t size = next->size.load(std::memory_order_acquire);
    if (size == 0) return false;
    if (size == PacketLine::kWrap) [[unlikely]] {
      tail_ += Area::kCapacity - tail_ % Area::kCapacity;
      next = &line(0);
      size = next->size.load(std::memory_order_acquire);
      if (size == 0) return false;
    }
    const std::size_t bytes = size - PacketLine::kPublished;
    use(next->header, Payload{next->payload(), bytes});
    tail_ += lines_for(bytes);
    if (tail_ - told_ >= Area::kCapacity / 8) {
      told_ = tail_;
      area_->consumed.store(tail_, std::memory_order_release);
      *freed = true;
    }
    return true;
  }

 private:
  PacketLine& line(std::size_t position) { return *reinterpret_cast<PacketLine*>(area_->data + position); }

  Area* area_;
  std::uint64_t tail_ = 0;
  std::uint64_t told_ = 0;
};

}  // namespace antiphon::transport::shm
