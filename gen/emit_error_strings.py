"""abi/error_strings.hpp: name and sentence of every error class, as a table sorted by value."""

from __future__ import annotations

import json

from model import Interface
from text import NOTICE

_NOT_A_CLASS = "MPI_ERR_LASTCODE"


def emit(interface: Interface) -> str:
    classes = [error for error in interface.errors if error.name != _NOT_A_CLASS]
    rows = "\n".join(f'    {{{e.value}, "{e.name}", {json.dumps(e.text)}}},' for e in classes)
    return f"""// The predefined error classes: value, name, and the sentence that MPI_Error_string returns.
// {NOTICE}
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace antiphon::abi {{

struct ErrorClass {{
  int value;
  std::string_view name;
  std::string_view text;
}};

// In increasing order of value.
inline constexpr std::array<ErrorClass, {len(classes)}> error_classes{{{{
{rows}
}}}};

// Null for a value that is not a predefined class.
constexpr const ErrorClass* find_error_class(int value) {{
  const auto* found = std::lower_bound(error_classes.data(), error_classes.data() + error_classes.size(), value,
                                       [](const ErrorClass& entry, int wanted) {{ return entry.value < wanted; }});
  return found != error_classes.data() + error_classes.size() && found->value == value ? found : nullptr;
}}

}}  // namespace antiphon::abi
"""
