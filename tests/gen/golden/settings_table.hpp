// What every setting is, in the order of spec/cvars.toml, and how its value is read and set as a number.
// Generated from spec/ by gen/generate.py; change those.
#pragma once

#include <array>

#include "settings/setting.hpp"

namespace antiphon::settings {

inline constexpr std::string_view kWayTakenChoices[] = {"auto", "on", "off", "two-sided"};

inline constexpr std::array<Setting, 4> table{{
    {.name = "spin_count",
     .type = Type::count,
     .scope = Scope::process,
     .level = Level::tuner,
     .usual = 7,
     .least = 0,
     .most = 1000,
     .automatic = "",
     .choices = {},
     .where = "here",
     .what = "How often \"it\" spins.",
     .get = [](const Values& values) -> std::int64_t { return static_cast<std::int64_t>(values.spin_count); },
     .set = [](Values& values, std::int64_t value) { values.spin_count = static_cast<int>(value); }},
    {.name = "eager_limit",
     .type = Type::bytes,
     .scope = Scope::job,
     .level = Level::user,
     .usual = 0,
     .least = 1,
     .most = 1073741824,
     .automatic = "what suits",
     .choices = {},
     .where = "there",
     .what = "Up to here at once.",
     .get = [](const Values& values) -> std::int64_t { return static_cast<std::int64_t>(values.eager_limit); },
     .set = [](Values& values, std::int64_t value) { values.eager_limit = static_cast<std::size_t>(value); }},
    {.name = "way_taken",
     .type = Type::choice,
     .scope = Scope::job,
     .level = Level::developer,
     .usual = 0,
     .least = 0,
     .most = 3,
     .automatic = "",
     .choices = kWayTakenChoices,
     .where = "everywhere",
     .what = "Which way.",
     .get = [](const Values& values) -> std::int64_t { return static_cast<std::int64_t>(values.way_taken); },
     .set = [](Values& values, std::int64_t value) { values.way_taken = static_cast<WayTaken>(value); }},
    {.name = "turn",
     .type = Type::time,
     .scope = Scope::launcher,
     .level = Level::user,
     .usual = 200000,
     .least = 0,
     .most = 1000000000,
     .automatic = "",
     .choices = {},
     .where = "here",
     .what = "How long.",
     .get = [](const Values& values) -> std::int64_t { return values.turn.count(); },
     .set = [](Values& values, std::int64_t value) { values.turn = static_cast<std::chrono::nanoseconds>(value); }},
}};

// Variables ANTIPHON_... that are no settings.
inline constexpr std::array<std::string_view, 2> other_variables{{
    "RANK",
    "SEED",
}};

}  // namespace antiphon::settings
