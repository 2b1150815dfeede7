// Copies of memory, mostly short ones. Up to 32 bytes take a few inlined moves, while a call of memcpy costs as
// much as the rest of a small message. For long copies, some processors are faster with the loop here than with
// the C library of many systems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace antiphon::base {

// Above this length, copy_long() may be faster than memcpy.
inline constexpr std::size_t kLeastLong = 2048;
void copy_long(std::byte* to, const std::byte* from, std::size_t bytes) noexcept;

// The areas must not overlap, unless they are the same. Null is valid if `bytes` is 0. Callers that know an upper
// bound of `bytes` pass it as kMost, which saves branches.
template <std::size_t kMost = SIZE_MAX>
[[gnu::always_inline]] inline void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  if (kMost > kLeastLong && bytes > kLeastLong) [[unlikely]] {
    copy_long(to, from, bytes);
  } else if (kMost > 32 && bytes > 32) [[unlikely]] {
    std::memcpy(to, from, bytes);
  } else if (bytes >= 16) {  // first and last 16, which may overlap
    std::memcpy(to, from, 16);
    std::memcpy(to + bytes - 16, from + bytes - 16, 16);
  } else if (bytes >= 8) {
    std::memcpy(to, from, 8);
    std::memcpy(to + bytes - 8, from + bytes - 8, 8);
  } else if (bytes >= 4) {
    std::memcpy(to, from, 4);
    std::memcpy(to + bytes - 4, from + bytes - 4, 4);
  } else {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
  }
}

}  // namespace antiphon::base
