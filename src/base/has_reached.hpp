// Compares numbers that count up and may overflow.
#pragma once

#include <concepts>
#include <type_traits>

namespace antiphon::base {

// Whether a count is at `other` or has passed it. Less than half of all numbers are between the two.
template <std::unsigned_integral Count>
[[nodiscard]] constexpr bool has_reached(Count count, std::type_identity_t<Count> other) noexcept {
  return static_cast<std::make_signed_t<Count>>(static_cast<Count>(count - other)) >= 0;
}

}  // namespace antiphon::base
