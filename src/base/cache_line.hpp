// The size of a cache line, the unit that processor cores take from each other's caches. Memory that two cores use
// should be laid out in this unit.
#pragma once

#include <cstddef>

namespace antiphon::base {

inline constexpr std::size_t kCacheLine = 64;
// Some processors fetch the neighbour of a line with it: what different cores write lies so far apart.
inline constexpr std::size_t kCacheLinePair = 2 * kCacheLine;

// So many bytes, and what is left of their last line, or of their last pair of lines.
[[nodiscard]] constexpr std::size_t whole_lines(std::size_t bytes) noexcept {
  return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
}
[[nodiscard]] constexpr std::size_t whole_line_pairs(std::size_t bytes) noexcept {
  return (bytes + kCacheLinePair - 1) / kCacheLinePair * kCacheLinePair;
}

}  // namespace antiphon::base
