// How several writers share one ring. A writer claims a cell, and lines of the payload ring, with one
// compare-and-swap on a word that says how much has been claimed. Then it fills them independently of others, and
// publishes its cell. Writers do not wait for each other. The reader takes cells in order, and waits at one that
// is claimed and not yet published. Derived classes say where the word is, and how to look for room.
#pragma once

#include "base/has_reached.hpp"
#include "base/race_detector.hpp"
#include "transport/shm/ring.hpp"

namespace antiphon::transport::shm {

class Claims : public RingMemory {
 public:
  struct Claim {
    std::byte* room;
    std::uint64_t packet;
  };

 protected:
  using RingMemory::RingMemory;

  // How far writers have come, in one word: packets in 40 bits, lines of payload in 24. Both may overflow: turns have
  // only 32 bits anyway, and unread packets and lines are much fewer than half of either range.
  static constexpr int kPacketBits = 40, kLineBits = 64 - kPacketBits;
  static constexpr std::uint64_t kPackets = (std::uint64_t{1} << kPacketBits) - 1;
  static_assert(RingArea::kCells == std::uint64_t{1} << (kPacketBits - 32));
  struct Position {
    std::uint64_t packet;
    std::uint64_t line;

    static Position of(std::uint64_t word) noexcept { return {word & kPackets, word >> kPacketBits}; }
    [[nodiscard]] std::uint64_t word() const noexcept { return line << kPacketBits | (packet & kPackets); }
  };
  // Whether `end` is beyond `limit`. Only their lowest `bits` bits count.
  static constexpr bool is_past(std::uint64_t end, std::uint64_t limit, int bits) noexcept {
    return !base::has_reached(limit << (64 - bits), end << (64 - bits));
  }
  static constexpr bool is_past(const Position& end, std::uint64_t packet_limit, std::uint64_t line_limit) noexcept {
    return is_past(end.packet, packet_limit, kPacketBits) || is_past(end.line, line_limit, kLineBits);
  }
  // Up to where writers may come now.
  [[nodiscard]] std::uint64_t packet_limit() const noexcept {
    return area_->consumed.cells.load(std::memory_order_acquire) + RingArea::kCells;
  }
  [[nodiscard]] std::uint64_t line_limit() const noexcept {
    return (area_->consumed.payload_bytes.load(std::memory_order_acquire) + capacity_) / base::kCacheLine;
  }

  // Claims a cell, and room for a payload. False if has_room(the position behind the claim) is false.
  template <class HasRoom>
  [[nodiscard]] bool try_claim(std::atomic<std::uint64_t>& word, std::size_t bytes, Claim* claim,
                               HasRoom&& has_room) const noexcept {
    const bool is_inline = bytes <= sizeof(Cell::inline_payload);
    std::uint64_t claimed = word.load(std::memory_order_acquire);
    for (;;) {
      const Position from = Position::of(claimed);
      const std::uint64_t start = is_inline ? from.line : first_line(from.line, bytes);
      const Position to{from.packet + 1, is_inline ? start : start + lines_of(bytes)};
      if (!has_room(to)) [[unlikely]]
        return false;
      if (!word.compare_exchange_weak(claimed, to.word(), std::memory_order_acq_rel)) continue;
      *claim = {is_inline ? cell(from.packet).inline_payload : payload_at(start * base::kCacheLine), from.packet};
      base::take_from_process(cell(from.packet).line(), base::kCacheLine);
      if (is_inline) return true;
      base::take_from_process(claim->room, bytes);
      base::prefetch_to_write(claim->room, bytes);
      return true;
    }
  }
  void publish(const Claim& claim, const PacketHeader& header, std::size_t bytes) const noexcept {
    Cell& target = cell(claim.packet);
    target.bytes = static_cast<std::uint16_t>(bytes);
    target.header = header;
    if (bytes > sizeof target.inline_payload) {
      target.elsewhere() = {};
      base::lend_to_process(claim.room, bytes);
    }
    base::lend_to_process(target.line(), base::kCacheLine);
    target.turn.store(turn_of(claim.packet), std::memory_order_release);
  }
  void publish_mark(std::uint64_t packet) const noexcept {
    Cell& target = cell(packet);
    target.bytes = Cell::kMark;
    base::lend_to_process(target.line(), base::kCacheLine);
    target.turn.store(turn_of(packet), std::memory_order_release);
  }

 private:
  static constexpr std::uint64_t lines_of(std::size_t bytes) noexcept {
    return base::whole_lines(bytes) / base::kCacheLine;
  }
  // Where a payload begins: it must be contiguous.
  [[nodiscard]] std::uint64_t first_line(std::uint64_t line, std::size_t bytes) const noexcept {
    const std::uint64_t lines = capacity_ / base::kCacheLine;
    const std::uint64_t to_end = lines - (line & (lines - 1));
    return lines_of(bytes) > to_end ? line + to_end : line;
  }
};

}  // namespace antiphon::transport::shm
