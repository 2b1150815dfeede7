// The settings that the user has given on the command line and in the environment, checked when they are read, and
// the values that a job and each of its ranks get from them. Pure functions; errors are base::Error.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "settings/setting.hpp"

namespace antiphon::settings {

struct Given {
  const Setting* setting;
  std::int64_t value;
};

// `shown`: what the user called it.
[[nodiscard]] Given given(std::string_view name, std::string_view text, std::string_view shown);

// What a variable of the environment gives. One that begins with ANTIPHON_ and is neither a setting nor known as
// something else is an error, for it is a mistyped setting. No more than one is returned.
[[nodiscard]] std::vector<Given> given_by_variable(std::string_view name, std::string_view text);
// `environment` as in environ(7).
[[nodiscard]] std::vector<Given> given_by(const char* const* environment);

// What comes later wins.
void apply(std::span<const Given> given, Values& values);

// The values of a process whose job has `job`, and whose own environment gives `own`: something else only where not
// all processes have to agree.
[[nodiscard]] Values of_process(const Values& job, std::span<const Given> own);

}  // namespace antiphon::settings
