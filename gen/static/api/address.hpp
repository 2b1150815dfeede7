// Whether something can lie at an address that the user gives. The first page holds nothing; its numbers are the
// ABI's predefined handles and other constants, which get where an address belongs when arguments are mixed up.
#pragma once

#include <cstdint>

namespace antiphon::api {

inline constexpr std::uintptr_t kFirstAddress = 0x1000;

inline bool is_address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) >= kFirstAddress; }

}  // namespace antiphon::api
