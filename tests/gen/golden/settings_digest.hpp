// Which settings there are, as a number: other tables have another. Generated from spec/ by gen/generate.py; change those.
#pragma once

#include <cstdint>

namespace antiphon::settings {

inline constexpr std::uint32_t kTableDigest = 0x4911fe2f;

}  // namespace antiphon::settings
