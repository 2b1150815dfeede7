// Compares counters that may overflow.
#pragma once

#include <concepts>
#include <type_traits>

namespace antiphon::base {

// Whether `count` has reached or passed `other`. The two must be less than half the range of Count apart.
template <std::unsigned_integral Count>
[[nodiscard]] constexpr bool has_reached(Count count, std::type_identity_t<Count> other) noexcept {
  return static_cast<std::make_signed_t<Count>>(static_cast<Count>(count - other)) >= 0;
}

}  // namespace antiphon::base
