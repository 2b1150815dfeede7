// Settings as users write and read them: names, values, and what would have been valid. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "settings/setting.hpp"

namespace antiphon::settings {

[[nodiscard]] std::span<const Setting> all();

inline constexpr std::string_view kVariablePrefix = "ANTIPHON_";
// ANTIPHON_EAGER_LIMIT for eager_limit.
[[nodiscard]] std::string variable_of(std::string_view name);

// The shortest text that value_of() reads as this: 64K, 200us, auto.
[[nodiscard]] std::string text_of(const Setting& setting, std::int64_t value);
// "0 to 1G", or the choices.
[[nodiscard]] std::string valid_for(const Setting& setting);

// `shown`: what the user called the setting; the errors (base::Error) begin with it, and say what is valid.
[[nodiscard]] std::int64_t value_of(const Setting& setting, std::string_view text, std::string_view shown);
// Capitals are as good as small letters, and '-' as '_'. The error suggests what `name` may have been meant to be: a
// variable, where `shown` is one.
[[nodiscard]] const Setting& named(std::string_view name, std::string_view shown);

}  // namespace antiphon::settings
