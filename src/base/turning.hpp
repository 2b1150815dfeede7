// Passes over memory that is longer than a core's first cache. What the last one touched last is still there, so the
// next over the same memory begins where that one ended: it goes backwards if that went forwards, and the other way
// round. Where the last one ended is but a hint, which any thread may read and write at any time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace antiphon::base {

class Turning {
 public:
  // Shorter passes find all of their memory, and longer ones little of it.
  static constexpr std::size_t kLeast = std::size_t{16} << 10, kTooLong = std::size_t{1} << 20;
  // Backwards is piece by piece, each of them forwards: what fetches lines ahead knows that way best.
  static constexpr std::size_t kPiece = 4096;

  // Over `count` units of `unit` bytes, no more than a line each, from `start` on: calls move(first, how many) for
  // all of them, or for pieces of which each is before the last. Pieces begin where pages do, or less than a unit
  // before.
  template <class Move>
  [[gnu::always_inline]] void pass(const std::byte* start, std::size_t count, std::size_t unit, Move&& move) {
    if (!goes_backwards(start, count * unit)) return move(std::size_t{0}, count);
    for (std::size_t end = count; end != 0;) {
      const std::size_t first = last_piece(start, end * unit) / unit;
      move(first, end - first);
      end = first;
    }
  }

 private:
  [[nodiscard]] bool goes_backwards(const std::byte* start, std::size_t bytes) noexcept {
    if (bytes < kLeast || bytes >= kTooLong) return false;
    const bool turns = last_end_.load(std::memory_order_relaxed) == start + bytes;
    last_end_.store(turns ? start : start + bytes, std::memory_order_relaxed);
    return turns;
  }
  // Where it begins.
  [[nodiscard]] static std::size_t last_piece(const std::byte* start, std::size_t bytes) {
    const std::size_t length = (reinterpret_cast<std::uintptr_t>(start) + bytes - 1) % kPiece + 1;
    return bytes - std::min(bytes, length);
  }

  std::atomic<const std::byte*> last_end_ = nullptr;
};

}  // namespace antiphon::base
