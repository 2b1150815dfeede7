// Copies with stores that bypass the caches: for long data that another core reads, or that is larger than the
// caches.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace antiphon::base {

// Copies without leaving the data in this core's caches, if the processor can do that. Call order_streams() before
// telling others that the data is there. The areas must not overlap.
inline void stream_bytes(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
#ifdef __SSE2__
  constexpr std::size_t kUnit = sizeof(__m128i);
  const std::size_t first = std::min(bytes, -reinterpret_cast<std::uintptr_t>(to) % kUnit);
  std::memcpy(to, from, first);
  std::size_t done = first;
  for (; done + kUnit <= bytes; done += kUnit)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + done),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + done)));
  std::memcpy(to + done, from + done, bytes - done);
#else
  std::memcpy(to, from, bytes);
#endif
}

// Makes earlier stream_bytes() visible before later stores: waits until their data is on its way to memory.
inline void order_streams() noexcept {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace antiphon::base
