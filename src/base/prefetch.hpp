// Fetches lines into this core's cache before they are needed.
#pragma once

#include "base/cache_line.hpp"

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

}  // namespace antiphon::base
