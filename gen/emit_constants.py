"""abi/constants.hpp: the constants for layers that must not see mpi.h: MPI_COMM_WORLD is the number abi::COMM_WORLD."""

from __future__ import annotations

from model import Constant, Interface
from text import NOTICE

_INTEGERS = {"macro": "int", "int": "int", "MPI_Offset": "std::int64_t"}


def emit(interface: Interface) -> str:
    enumerations = {name: "int" for name in interface.types.enumerations}
    core_types = {**_INTEGERS, **enumerations}
    groups = [
        "\n".join(_definition(constant, core_types) for constant in group.constants)
        for group in interface.constant_groups
    ]
    errors = "\n".join(f"inline constexpr int {_strip(error.name)} = {error.value};" for error in interface.errors)
    body = "\n\n".join([*groups, errors])
    return f"""// The constants of the standard ABI as the core sees them: without MPI_, handles and addresses as numbers.
// {NOTICE}
#pragma once

#include <cstdint>

namespace antiphon::abi {{

{body}

}}  // namespace antiphon::abi
"""


def _definition(constant: Constant, core_types: dict[str, str]) -> str:
    c_type = core_types.get(constant.c_type, "std::uintptr_t")
    if isinstance(constant.value, str):
        value = _strip(constant.value)
    else:
        value = f"{constant.value:#x}" if c_type == "std::uintptr_t" else str(constant.value)
    return f"inline constexpr {c_type} {constant.core_name or _strip(constant.name)} = {value};"


def _strip(name: str) -> str:
    return name.removeprefix("MPI_").removeprefix("MPI")
