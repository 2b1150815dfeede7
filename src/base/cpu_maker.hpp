// Which processor this is: caches and some instructions behave differently on processors with the same instruction
// set.
#pragma once

namespace antiphon::base {

[[nodiscard]] inline bool is_intel() noexcept {
#if defined(__x86_64__)
  return __builtin_cpu_is("intel") != 0;
#else
  return false;
#endif
}

// Zen 3 and 4.
[[nodiscard]] inline bool is_amd_19h() noexcept {
#if defined(__x86_64__)
  return __builtin_cpu_is("amdfam19h") != 0;
#else
  return false;
#endif
}

}  // namespace antiphon::base
