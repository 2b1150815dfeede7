// Random numbers of the kernel or, if it has none yet, numbers that differ between processes. For sequences that a
// seed repeats, use base/rng.hpp.
#pragma once

#include <cstdint>

namespace antiphon::platform {

[[nodiscard]] std::uint64_t random_number() noexcept;

}  // namespace antiphon::platform
