// The constants of the standard ABI as the core sees them: without MPI_, handles and addresses as numbers.
// Generated from spec/ by gen/generate.py; change those.
#pragma once

#include <cstdint>

namespace antiphon::abi {

inline constexpr int VERSION = 5;

inline constexpr std::uintptr_t COMM_NULL = 0x100;
inline constexpr std::uintptr_t COMM_WORLD = 0x101;

inline constexpr std::uintptr_t LONG_LONG = 0x20b;
inline constexpr std::uintptr_t LONG_LONG_INT = LONG_LONG;
inline constexpr std::uintptr_t TWO_INT = 0x22b;

inline constexpr std::uintptr_t BOTTOM = 0x0;
inline constexpr std::uintptr_t IN_PLACE = 0x1;

inline constexpr std::int64_t DISPLACEMENT_CURRENT = -1;

inline constexpr int ANY_SOURCE = -1;
inline constexpr int HOST = 503;

inline constexpr int T_SOURCE_ORDERED = 1;
inline constexpr int T_SOURCE_UNORDERED = 2;

inline constexpr int SUCCESS = 0;
inline constexpr int ERR_RANK = 6;
inline constexpr int ERR_LASTCODE = 16383;

}  // namespace antiphon::abi
