// Fetches lines into this core's cache before they are needed.
#pragma once

#include <atomic>
#include <cstddef>

#include "base/cache_line.hpp"
#include "base/cpu_maker.hpp"

namespace antiphon::base {

// Lines that are about to be written, taken from whichever core has them, so that a store does not wait for that. By
// its own name, as compilers ask for the instruction only where every processor has it: the others ignore it.
inline void prefetch_to_write(std::byte* start, std::size_t bytes) noexcept {
  for (std::size_t at = 0; at < bytes; at += kCacheLine) {
#if defined(__x86_64__)
    asm volatile("prefetchw %0" : : "m"(start[at]));
#else
    __builtin_prefetch(start + at, 1);
#endif
  }
}

// Lines that are about to be read. Waits for them, so that it can be timed.
inline void fetch_lines(const std::byte* start, std::size_t bytes) noexcept {
  for (std::size_t at = 0; at < bytes; at += kCacheLine) (void)*static_cast<const volatile std::byte*>(start + at);
}

// As prefetch_to_write() for one line, of which nobody reads the given byte before it is written again. For prefetchw
// AMD's Zen 4 leaves a line to the core that has read it, unless it is in the first cache; for a store it never does.
inline void take_line(std::byte& unread) noexcept {
  if (is_intel())
    prefetch_to_write(&unread, 1);
  else
    std::atomic_ref(unread).store(std::byte{}, std::memory_order_relaxed);
}

}  // namespace antiphon::base
