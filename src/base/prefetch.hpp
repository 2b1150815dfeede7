// Fetches lines into this core's cache before they are needed.
#pragma once

#include <atomic>
#include <cstddef>

#include "base/cache_line.hpp"
#include "base/cpu_maker.hpp"

namespace antiphon::base {

// Fetches lines that are about to be written, so that the stores do not wait for other cores. Uses the instruction by
// name: compilers emit it only if every target processor has it, but processors without it ignore it.
inline void prefetch_to_write(std::byte* start, std::size_t bytes) noexcept {
  for (std::size_t at = 0; at < bytes; at += kCacheLine) {
#if defined(__x86_64__)
    asm volatile("prefetchw %0" : : "m"(start[at]));
#else
    __builtin_prefetch(start + at, 1);
#endif
  }
}

// Reads lines that will be needed soon, and waits for them, so that the caller can measure how long that takes.
inline void fetch_lines(const std::byte* start, std::size_t bytes) noexcept {
  for (std::size_t at = 0; at < bytes; at += kCacheLine) (void)*static_cast<const volatile std::byte*>(start + at);
}

// Like prefetch_to_write() for one line. The given byte must be one that nobody reads before it is written again,
// because it may be overwritten: with prefetchw, AMD's Zen 4 often leaves a line in the core that has read it last; a
// store always takes it.
inline void take_line(std::byte& unread) noexcept {
  if (is_intel())
    prefetch_to_write(&unread, 1);
  else
    std::atomic_ref(unread).store(std::byte{}, std::memory_order_relaxed);
}

}  // namespace antiphon::base
