// Random numbers that nobody can guess or repeat. base/rng.hpp has those that a seed repeats.
#pragma once

#include <cstdint>

namespace antiphon::platform {

[[nodiscard]] std::uint64_t random_number() noexcept;

}  // namespace antiphon::platform
