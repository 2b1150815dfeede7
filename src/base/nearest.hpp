// Finds the known word that a mistyped word was probably meant to be.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace antiphon::base {

// Nothing when no candidate is close enough to be a plausible slip of the fingers.
std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace antiphon::base
