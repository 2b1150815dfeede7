"""counters/counters.hpp: the struct that is counted in; counters/table.hpp: what each of them is."""

from __future__ import annotations

import json

from counters import Counter
from text import NOTICE


def emit_struct(counters: tuple[Counter, ...]) -> str:
    members = "\n".join(f"  Counter {counter.name};" for counter in counters)
    return f"""// What one process has done so far. Each part of it adds to the counters that it is handed; any thread may add and
// read. What each of them counts: spec/pvars.toml, or counters/table.hpp.
// {NOTICE}
#pragma once

#include <cstddef>

#include "base/counter.hpp"

namespace antiphon::counters {{

using base::Counter;

struct Counters {{
{members}
}};

inline constexpr std::size_t kHowMany = {len(counters)};

}}  // namespace antiphon::counters
"""


def emit_table(counters: tuple[Counter, ...]) -> str:
    rows = "\n".join(
        f"""    {{.name = "{counter.name}",
     .unit = Unit::{counter.unit},
     .level = Level::{counter.level},
     .always = {str(counter.always).lower()},
     .what = {json.dumps(counter.what)},
     .value = &Counters::{counter.name}}},"""
        for counter in counters
    )
    return f"""// What each counter is, in the order of spec/pvars.toml. {NOTICE}
#pragma once

#include <array>
#include <string_view>

#include "counters/counters.hpp"

namespace antiphon::counters {{

enum class Unit : std::uint8_t {{ things, bytes }};
enum class Level : std::uint8_t {{ user, tuner, developer }};  // for whom it is meant

struct Description {{
  std::string_view name;
  Unit unit;
  Level level;
  bool always;  // or only where the setting `counters` is on
  std::string_view what;
  Counter Counters::*value;
}};

inline constexpr std::array<Description, kHowMany> table{{{{
{rows}
}}}};

}}  // namespace antiphon::counters
"""
