"""include/mpi.h: the C interface of the standard ABI, for C89 with a 64-bit integer type, C99 and C++."""

from __future__ import annotations

from model import Constant, ConstantGroup, FunctionType, Interface, Procedure, Removed, Types
from text import NOTICE, wrapped_call

_GUARD = "ANTIPHON_MPI_H"
_TEXT_TYPES = ("macro", "int")


def emit(interface: Interface) -> str:
    parts = [
        f"/* The C interface of MPI 5.0 with the standard ABI. {NOTICE} */",
        f"#ifndef {_GUARD}\n#define {_GUARD}\n\n#include <stdint.h>",
        '#ifdef __cplusplus\nextern "C" {\n#endif',
        *_types(interface.types, interface.constant_groups),
        *(_group(group) for group in interface.constant_groups if group.c_type not in interface.types.enumerations),
        _errors(interface),
        *(_prototypes(chapter, procedures) for chapter, procedures in interface.chapters.items()),
        _fortran_handles(interface),
        _fortran_statuses(),
        _removed(interface.removed),
        "#ifdef __cplusplus\n}\n#endif",
        "/* The C++ binding of MPI-2.2, if asked for. */\n"
        "#if defined(__cplusplus) && defined(ANTIPHON_MPI_CXX)\n#include <mpicxx.h>\n#endif",
        f"#endif /* {_GUARD} */",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _types(types: Types, groups: tuple[ConstantGroup, ...]) -> list[str]:
    structures = [
        f"typedef struct {_abi_name(name)} {{\n" + "".join(f"  {member};\n" for member in members) + f"}} {name};"
        for name, members in types.structures.items()
    ]
    return [
        "\n".join(f"typedef {c_type} {name};" for name, c_type in types.integers.items()),
        "\n".join(f"typedef struct {_abi_name(name)}* {name};" for name in types.handles),
        *structures,
        *(_enumeration(name, groups) for name in types.enumerations),
        "\n".join(_function_type(function) for function in types.functions),
        "\n".join(f"typedef {target} {name};" for name, target in types.aliases.items()),
    ]


def _abi_name(name: str) -> str:
    return "MPI_ABI_" + name.removeprefix("MPI_")


def _enumeration(name: str, groups: tuple[ConstantGroup, ...]) -> str:
    members = [constant for group in groups if group.c_type == name for constant in group.constants]
    lines = ",\n".join(f"  {constant.name} = {constant.value:#x}" for constant in members)
    return f"typedef enum {name} {{\n{lines}\n}} {name};"


def _function_type(function: FunctionType) -> str:
    line = wrapped_call(f"typedef {function.returns} ({function.name})", list(function.parameters), ";")
    return line + _deprecation(function.deprecated)


def _group(group: ConstantGroup) -> str:
    return "\n".join(_definition(constant) for constant in group.constants)


def _definition(constant: Constant) -> str:
    return f"#define {constant.name} {_value(constant)}" + _deprecation(constant.deprecated)


def _value(constant: Constant) -> str:
    if isinstance(constant.value, str):
        return constant.value
    if constant.c_type in _TEXT_TYPES:
        return f"({constant.value})" if constant.value < 0 else str(constant.value)
    value = f"({constant.value})" if constant.value < 0 else f"{constant.value:#x}" if constant.value else "0"
    return f"(({constant.c_type}) {value})"


def _errors(interface: Interface) -> str:
    return "\n".join(f"#define {e.name} {e.value}" + _deprecation(e.deprecated) for e in interface.errors)


def _prototypes(chapter: str, procedures: tuple[Procedure, ...]) -> str:
    lines = [f"/* {chapter} */"]
    for procedure in procedures:
        for name, large in procedure.variants():
            for prefix in ("", "P"):
                arguments = procedure.declarations(large) or ["void"]
                line = wrapped_call(f"{procedure.returns} {prefix}{name}", arguments, ";")
                lines.append(line + _deprecation(procedure.deprecated))
    return "\n".join(lines)


def _deprecation(version: str) -> str:
    return f" /* deprecated since MPI {version} */" if version else ""


def _fortran_handles(interface: Interface) -> str:
    """The conversions to and from Fortran handles, which are the integers of MPI_X_toint and MPI_X_fromint."""
    lines = []
    for procedure in interface.procedures():
        if procedure.name.endswith("_toint"):
            base = procedure.name.removesuffix("_toint")
            lines.append(f"#define {base}_c2f(handle) ((MPI_Fint) {base}_toint(handle))")
            lines.append(f"#define {base}_f2c(integer) {base}_fromint((int) (integer))")
    return "\n".join(lines)


def _fortran_statuses() -> str:
    """Their one layout is MPI_Status's. What converts them is in a library of its own, since not every program has Fortran."""
    lines = ["/* Statuses of Fortran, in libantiphon_fortran: what links with mpifort has it. */", "typedef MPI_Status MPI_F08_status;"]
    types = {"c": "MPI_Status", "f": "MPI_Fint", "f08": "MPI_F08_status"}
    for source, target in (("c", "f"), ("f", "c"), ("c", "f08"), ("f08", "c"), ("f", "f08"), ("f08", "f")):
        for prefix in ("", "P"):
            name = f"{prefix}MPI_Status_{source}2{target}"
            lines.append(f"int {name}(const {types[source]}* {source}_status, {types[target]}* {target}_status);")
    return "\n".join(lines)


def _removed(names: tuple[Removed, ...]) -> str:
    """Names that no program can use, nor find by a probe: one that calls them does not compile, as one that takes their address
    does not. A program that has a macro of the name means that."""
    lines = [
        "/* Removed from the standard: a program that uses one of these does not compile, and is told what replaced it. With",
        "   ANTIPHON_OWN_REMOVED_NAMES it may define them itself. */",
        "#if defined(__has_attribute) && !defined(ANTIPHON_OWN_REMOVED_NAMES)",
        "#if __has_attribute(unavailable)",
    ]
    for name in names:
        sentence = f"MPI {name.since} removed it; use {name.instead}"
        lines += [f"#ifndef {name.name}", name.declaration, f'    __attribute__((unavailable("{sentence}")));', "#endif"]
    return "\n".join([*lines, "#endif", "#endif"])
