// The size of a cache line, the unit in which processor cores exchange memory. Memory that two cores use should be
// laid out in this unit.
#pragma once

#include <cstddef>

namespace antiphon::base {

inline constexpr std::size_t kCacheLine = 64;
// Some processors fetch the neighbouring line with each line, so data that different cores write is kept this far
// apart.
inline constexpr std::size_t kCacheLinePair = 2 * kCacheLine;

// Rounds `bytes` up to whole lines, or to whole pairs of lines.
[[nodiscard]] constexpr std::size_t whole_lines(std::size_t bytes) noexcept {
  return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
}
[[nodiscard]] constexpr std::size_t whole_line_pairs(std::size_t bytes) noexcept {
  return (bytes + kCacheLinePair - 1) / kCacheLinePair * kCacheLinePair;
}

}  // namespace antiphon::base
