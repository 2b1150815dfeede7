// Random numbers that nobody can guess or repeat. For those that a seed repeats, see base/rng.hpp.
#pragma once

#include <cstdint>

namespace antiphon::platform {

[[nodiscard]] std::uint64_t random_number() noexcept;

}  // namespace antiphon::platform
