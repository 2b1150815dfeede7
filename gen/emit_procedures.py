"""api/procedures.hpp: the table of all procedures and whether each has a body, for antiphon-info."""

from __future__ import annotations

from model import Interface
from text import NOTICE


def emit(interface: Interface) -> str:
    rows = [
        f'    {{"{name}", "{procedure.chapter}", {"false" if procedure.missing else "true"}}},'
        for procedure in interface.procedures()
        for name, _ in procedure.variants()
    ]
    return f"""// Every procedure of the C interface, large-count variants included, and whether the library has it.
// {NOTICE}
#pragma once

#include <array>
#include <string_view>

namespace antiphon::api {{

struct ProcedureEntry {{
  std::string_view name;
  std::string_view chapter;
  bool has_body;
}};

inline constexpr std::array<ProcedureEntry, {len(rows)}> procedures{{{{
{chr(10).join(rows)}
}}}};

}}  // namespace antiphon::api
"""
