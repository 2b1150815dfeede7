// A short pause of the processor between two reads of memory that another core writes.
#pragma once

namespace antiphon::platform {

inline void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace antiphon::platform
