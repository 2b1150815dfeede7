// Passes over the same memory, longer than a core's first cache, again and again. What the last pass touched last
// is still in the cache, but would be evicted before the next pass reaches it. So the next pass begins with that
// part, and does the part before it at the end. The place where the last pass ended is only a hint, which any
// thread may read and write at any time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.hpp"

namespace antiphon::base {

class LastPass {
 public:
  // Shorter passes find all of their memory in the cache; longer ones find little of it.
  static constexpr std::size_t kLeast = std::size_t{16} << 10, kTooLong = std::size_t{512} << 10;

  // For passes that touch `touched` bytes for each byte of the memory passed over.
  explicit constexpr LastPass(std::size_t touched) : kept_(kInFirstCache / touched) {}

  // The next pass, over `count` units of `unit` bytes from `start` on: calls move(first, how many) for all of them,
  // or first for those at the end and then for those before. The part at the end begins at a cache line, or less than
  // a unit before it.
  template <class Move>
  [[gnu::always_inline]] void next(const std::byte* start, std::size_t count, std::size_t unit, Move&& move) {
    const std::size_t first = begin(reinterpret_cast<std::uintptr_t>(start), count * unit) / unit;
    move(first, count - first);
    if (first != 0) move(std::size_t{0}, first);
  }
  [[nodiscard]] std::size_t kept() const { return kept_; }

 private:
  // First caches have 32 KiB and more; other data needs some of that.
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
