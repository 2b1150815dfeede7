// Tells ThreadSanitizer, which observes one process only, that one thread passed memory to another thread by way of
// another process. Does nothing in other builds.
#pragma once

#include <cstddef>

#include "base/cache_line.hpp"

#if defined(__SANITIZE_THREAD__)
#define ANTIPHON_UNDER_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ANTIPHON_UNDER_THREAD_SANITIZER 1
#endif
#endif

#ifdef ANTIPHON_UNDER_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace antiphon::base {

// Called by the thread that has written these cache lines.
inline void lend_to_process([[maybe_unused]] std::byte* first, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef ANTIPHON_UNDER_THREAD_SANITIZER
  for (std::size_t at = 0; at < bytes; at += kCacheLine) __tsan_release(first + at);
#endif
}

// Called by the thread that writes these cache lines next.
inline void take_from_process([[maybe_unused]] std::byte* first, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef ANTIPHON_UNDER_THREAD_SANITIZER
  for (std::size_t at = 0; at < bytes; at += kCacheLine) __tsan_acquire(first + at);
#endif
}

}  // namespace antiphon::base
