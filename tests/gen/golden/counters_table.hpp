// What each counter is, in the order of spec/pvars.toml. Generated from spec/ by gen/generate.py; change those.
#pragma once

#include <array>
#include <string_view>

#include "counters/counters.hpp"

namespace antiphon::counters {

enum class Unit : std::uint8_t { things, bytes };
enum class Level : std::uint8_t { user, tuner, developer };  // for whom it is meant

struct Description {
  std::string_view name;
  Unit unit;
  Level level;
  bool always;  // or only where the setting `counters` is on
  std::string_view what;
  Counter Counters::*value;
};

inline constexpr std::array<Description, kHowMany> table{{
    {.name = "sleeps",
     .unit = Unit::things,
     .level = Level::user,
     .always = true,
     .what = "Times that \"it\" slept.",
     .value = &Counters::sleeps},
    {.name = "bytes_sent",
     .unit = Unit::bytes,
     .level = Level::tuner,
     .always = false,
     .what = "Bytes.",
     .value = &Counters::bytes_sent},
}};

}  // namespace antiphon::counters
