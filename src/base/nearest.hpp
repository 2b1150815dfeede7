// Finds the known word that a mistyped word was probably meant to be.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace antiphon::base {

// Nothing if no candidate is similar enough to be a plausible typing error.
std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace antiphon::base
