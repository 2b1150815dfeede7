// The writing end of a ring for several threads at once. A writer claims a cell, and lines of the payload's ring,
// with one compare-and-swap on how far all of them have come; then it fills them without regard to the others and
// publishes its cell. Nobody waits for anybody: only the reader, who takes cells in order, waits at one that is
// claimed and not yet published.
#pragma once

#include "base/race_detector.hpp"
#include "transport/shm/ring.hpp"

namespace antiphon::transport::shm {

class SharedRingWriter : private RingPosition {
 public:
  SharedRingWriter(std::byte* area, std::size_t area_bytes)
      : RingPosition(area, area_bytes), lines_(capacity_ / kLine), line_limit_(lines_) {}

  using RingPosition::max_payload;

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

  // In two steps, by one thread at a time.
  [[nodiscard]] std::byte* reserve(std::size_t bytes) noexcept {
    return try_claim(bytes, &reserved_) ? reserved_.room : nullptr;
  }
  void commit(const PacketHeader& header, std::size_t bytes) noexcept { publish(reserved_, header, bytes); }

 private:
  struct Claim {
    std::byte* room;
    std::uint64_t packet;
  };
  // How far writers have come, in one word: packets in 40 bits, lines of payload in 24. Both wrap around, without
  // harm: a turn has 32 bits, and what is under way is much less than half of either.
  static constexpr int kPacketBits = 40, kLineBits = 64 - kPacketBits;
  static constexpr std::uint64_t kPackets = (std::uint64_t{1} << kPacketBits) - 1;
  struct Position {
    std::uint64_t packet;
    std::uint64_t line;

    static Position of(std::uint64_t word) noexcept { return {word & kPackets, word >> kPacketBits}; }
    [[nodiscard]] std::uint64_t word() const noexcept { return line << kPacketBits | (packet & kPackets); }
  };
  // Whether `end` is beyond `limit`, of which the lowest bits count.
  static constexpr bool is_past(std::uint64_t end, std::uint64_t limit, int bits) noexcept {
    return static_cast<std::int64_t>((end - limit) << (64 - bits)) > 0;
  }
  static constexpr std::uint64_t lines_of(std::size_t bytes) noexcept { return (bytes + kLine - 1) / kLine; }

  [[nodiscard]] Cell& cell(std::uint64_t packet) const noexcept { return area_->cells[packet % RingArea::kCells]; }
  static std::byte* bytes_of(Cell& cell) noexcept { return reinterpret_cast<std::byte*>(&cell); }
  // A payload lies in one piece.
  [[nodiscard]] std::uint64_t first_line(std::uint64_t line, std::size_t bytes) const noexcept {
    const std::uint64_t to_end = lines_ - line % lines_;
    return lines_of(bytes) > to_end ? line + to_end : line;
  }

  [[nodiscard]] bool try_claim(std::size_t bytes, Claim* claim) noexcept {
    const bool is_inline = bytes <= sizeof(Cell::inline_payload);
    std::uint64_t claimed = claimed_.load(std::memory_order_relaxed);
    for (;;) {
      const Position from = Position::of(claimed);
      const std::uint64_t start = is_inline ? from.line : first_line(from.line, bytes);
      const Position to{from.packet + 1, is_inline ? start : start + lines_of(bytes)};
      if (!has_room(to)) [[unlikely]] {
        look_for_room();
        if (!has_room(to)) return false;
      }
      if (!claimed_.compare_exchange_weak(claimed, to.word(), std::memory_order_relaxed)) continue;
      *claim = {is_inline ? cell(from.packet).inline_payload : payloads_ + start % lines_ * kLine, from.packet};
      base::take_from_process(bytes_of(cell(from.packet)), kLine);
      if (is_inline) return true;
      base::take_from_process(claim->room, bytes);
      base::prefetch_to_write(claim->room, bytes);
      return true;
    }
  }
  [[nodiscard]] bool has_room(const Position& to) const noexcept {
    return !is_past(to.packet, packet_limit_.load(std::memory_order_acquire), kPacketBits) &&
           !is_past(to.line, line_limit_.load(std::memory_order_acquire), kLineBits);
  }
  // Limits only grow. If the later of two threads writes what it has seen earlier, somebody looks once more.
  void look_for_room() noexcept {
    packet_limit_.store(area_->consumed.packets.load(std::memory_order_acquire) + RingArea::kCells,
                        std::memory_order_release);
    line_limit_.store(area_->consumed.payload_bytes.load(std::memory_order_acquire) / kLine + lines_,
                      std::memory_order_release);
  }

  void publish(const Claim& claim, const PacketHeader& header, std::size_t bytes) noexcept {
    Cell& target = cell(claim.packet);
    target.bytes = static_cast<std::uint32_t>(bytes);
    target.header = header;
    base::lend_to_process(bytes_of(target), kLine);
    if (bytes > sizeof target.inline_payload) base::lend_to_process(claim.room, bytes);
    target.turn.store(turn_of(claim.packet), std::memory_order_release);
  }

  const std::uint64_t lines_;  // a power of two
  alignas(kLine) std::atomic<std::uint64_t> claimed_ = 0;
  std::atomic<std::uint64_t> packet_limit_ = RingArea::kCells;
  std::atomic<std::uint64_t> line_limit_;
  Claim reserved_{};
};

}  // namespace antiphon::transport::shm
