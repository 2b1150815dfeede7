"""settings/values.hpp: the struct of all settings with their defaults; settings/table.hpp: what each of them is;
settings/digest.hpp: a number that tells tables from each other."""

from __future__ import annotations

import json
import zlib

from settings import Setting, Settings
from text import NOTICE

_KEYWORDS = {"auto": "automatic", "default": "usual"}


def emit_values(settings: Settings) -> str:
    choices = "".join(_enumeration(setting) + "\n" for setting in settings.all if setting.choices)
    members = "\n".join(_member(setting) for setting in settings.all)
    return f"""// The value of every setting, which begins as its default: what a process is handed when it starts, and does not
// change any more. antiphon-info --settings lists what each of them does.
// {NOTICE}
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace antiphon::settings {{

{choices}{chr(10) if choices else ""}struct Values {{
{members}
}};

}}  // namespace antiphon::settings
"""


def emit_digest(settings: Settings) -> str:
    digest = zlib.crc32((emit_values(settings) + emit_table(settings)).encode())
    return f"""// Which settings there are, as a number: other tables have another. {NOTICE}
#pragma once

#include <cstdint>

namespace antiphon::settings {{

inline constexpr std::uint32_t kTableDigest = {digest:#010x};

}}  // namespace antiphon::settings
"""


def emit_table(settings: Settings) -> str:
    choices = "".join(
        f"inline constexpr std::string_view {_choices_name(setting)}[] = {{{', '.join(map(json.dumps, setting.choices))}}};\n"
        for setting in settings.all
        if setting.choices
    )
    rows = "\n".join(_row(setting) for setting in settings.all)
    others = ",\n".join(f"    {json.dumps(name)}" for name in settings.others)
    return f"""// What every setting is, in the order of spec/cvars.toml, and how its value is read and set as a number.
// {NOTICE}
#pragma once

#include <array>

#include "settings/setting.hpp"

namespace antiphon::settings {{

{choices}{chr(10) if choices else ""}inline constexpr std::array<Setting, {len(settings.all)}> table{{{{
{rows}
}}}};

// Variables ANTIPHON_... that are no settings.
inline constexpr std::array<std::string_view, {len(settings.others)}> other_variables{{{{
{others},
}}}};

}}  // namespace antiphon::settings
"""


def type_name(setting: Setting) -> str:
    """DirectCopies for direct_copies."""
    return "".join(word.capitalize() for word in setting.name.split("_"))


def _cpp_type(setting: Setting) -> str:
    return {"count": "int", "bytes": "std::size_t", "time": "std::chrono::nanoseconds"}.get(setting.type) or type_name(setting)


def _enumerators(setting: Setting) -> list[str]:
    return [_KEYWORDS.get(choice, choice.replace("-", "_")) for choice in setting.choices]


def _enumeration(setting: Setting) -> str:
    return f"enum class {type_name(setting)} : std::uint8_t {{ {', '.join(_enumerators(setting))} }};"


def _member(setting: Setting) -> str:
    if setting.choices:
        return f"  {type_name(setting)} {setting.name} = {type_name(setting)}::{_enumerators(setting)[setting.default]};"
    value = f"{{{setting.default}}}" if setting.type == "time" else f" = {setting.default}"
    return f"  {_cpp_type(setting)} {setting.name}{value};"


def _choices_name(setting: Setting) -> str:
    return f"k{type_name(setting)}Choices"


def _row(setting: Setting) -> str:
    read = f"values.{setting.name}.count()" if setting.type == "time" else f"static_cast<std::int64_t>(values.{setting.name})"
    return f"""    {{.name = "{setting.name}",
     .type = Type::{setting.type},
     .scope = Scope::{setting.scope},
     .level = Level::{setting.level},
     .usual = {setting.default},
     .least = {setting.least},
     .most = {setting.most},
     .automatic = {json.dumps(setting.auto)},
     .choices = {_choices_name(setting) if setting.choices else "{}"},
     .where = "{setting.where}",
     .what = {json.dumps(setting.what)},
     .get = [](const Values& values) -> std::int64_t {{ return {read}; }},
     .set = [](Values& values, std::int64_t value) {{ values.{setting.name} = static_cast<{_cpp_type(setting)}>(value); }}}},"""
