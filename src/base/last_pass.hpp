// Passes over memory that is longer than a core's first cache, again and again. What the last one touched last is
// still there, unless the next pushes it out before it gets there: so that begins with it, and what is before comes
// in the end. Where the last one ended is but a hint, which any thread may read and write at any time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.hpp"

namespace antiphon::base {

class LastPass {
 public:
  // Shorter passes find all of their memory; of longer ones what is still there is little.
  static constexpr std::size_t kLeast = std::size_t{16} << 10, kTooLong = std::size_t{512} << 10;

  // Of passes that touch so many bytes for each that they are over, as far as known.
  explicit constexpr LastPass(std::size_t touched) : kept_(kInFirstCache / touched) {}

  // The next one, over `count` units of `unit` bytes from `start` on: calls move(first, how many) for all of them, or
  // for those at the end and then for those before. Those at the end begin with a line, or less than a unit before.
  template <class Move>
  [[gnu::always_inline]] void next(const std::byte* start, std::size_t count, std::size_t unit, Move&& move) {
    const std::size_t first = begin(reinterpret_cast<std::uintptr_t>(start), count * unit) / unit;
    move(first, count - first);
    if (first != 0) move(std::size_t{0}, first);
  }
  [[nodiscard]] std::size_t kept() const { return kept_; }

 private:
  // Of 32 KiB and more, as passes are not all that needs some.
  static constexpr std::size_t kInFirstCache = std::size_t{30} << 10;

  [[nodiscard]] std::size_t begin(std::uintptr_t start, std::size_t bytes) noexcept {
    if (bytes < kLeast || bytes >= kTooLong) return 0;
    const std::uintptr_t ended = ended_.load(std::memory_order_relaxed);
    std::size_t first = 0;
    if (ended > start + kept_ + kCacheLine && ended <= start + bytes)
      first = (ended - kept_) / kCacheLine * kCacheLine - start;
    ended_.store(start + (first != 0 ? first : bytes), std::memory_order_relaxed);
    return first;
  }

  const std::size_t kept_;
  std::atomic<std::uintptr_t> ended_ = 0;
};

}  // namespace antiphon::base
