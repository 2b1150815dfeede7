// The node's clock: CLOCK_MONOTONIC, the same in every process of a node.
#pragma once

#include <time.h>

#include <cstdint>

namespace antiphon::platform {

inline std::uint64_t monotonic_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace antiphon::platform
