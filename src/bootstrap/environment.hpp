// Reading the environment, as a value: what the bootstrap decides depends on nothing else, so a test can hand it any.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace antiphon::bootstrap {

// The value of a variable, or nothing where it is not set.
using Environment = std::function<std::optional<std::string>(const char* variable)>;

Environment process_environment();

// The value as a number; nothing where it is not set or no number.
std::optional<int> number(const Environment& environment, const char* variable);

}  // namespace antiphon::bootstrap
