"""Writes the generated part of the table of bad input: each procedure that has a body, with the kind of each argument, and the
errors that its manual page names. Usage: emit_table.py --root SOURCE_TREE --out FILE"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

HANDLES = {
    "COMMUNICATOR": "communicator",
    "DATATYPE": "datatype",
    "ERRHANDLER": "errhandler",
    "FILE": "file",
    "GROUP": "group",
    "INFO": "info",
    "MESSAGE": "message",
    "OPERATION": "operation",
    "SESSION": "session",
    "WINDOW": "window",
}
OR_NULL = {"COMMUNICATOR", "FILE", "GROUP", "INFO", "WINDOW"}
COUNTS = {"POLYXFER_NUM_ELEM_NNI", "POLYDTYPE_NUM_ELEM_NNI", "XFER_NUM_ELEM_NNI"}
VALUES = {
    "ACCESS_MODE": "access_mode",
    "ALLOC_MEM_NUM_BYTES": "length",
    "ASSERT": "assertion",
    "ARRAY_LENGTH": "length",
    "ARRAY_LENGTH_NNI": "length",
    "COLOR": "color",
    "COMM_SIZE": "length",
    "DEGREE": "length",
    "ERROR_CLASS": "added_class",
    "ERROR_CODE": "error_code",
    "INDEX": "index",
    "KEY_INDEX": "index",
    "LOCK_TYPE": "lock_type",
    "NUM_DIMS": "length",
    "OFFSET": "offset",
    "PARTITION": "index",
    "POLYRMA_DISPLACEMENT": "unit",
    "RANK_NNI": "destination",
    "REQUEST": "request_or_null",
    "RMA_DISPLACEMENT_NNI": "displacement",
    "THREAD_LEVEL": "thread_level",
    "UPDATE_MODE": "whence",
    "WINDOW_SIZE": "length",
    "WIN_ATTACH_SIZE": "length",
}
RANKS = {"dest": "destination", "source": "source", "root": "root"}


def keyval_of(procedure) -> str:
    objects = {"MPI_Type_": "type_keyval", "MPI_Win_": "win_keyval"}
    return next((kind for prefix, kind in objects.items() if procedure.name.startswith(prefix)), "comm_keyval")


def kind_of(parameter, procedure, large) -> str:
    """The kind of cases.hpp, with the kind of what lies behind an address where there is one."""
    name, kind = parameter.name, parameter.kind.name
    is_address = parameter.array_suffix() or parameter.c_type(large=False).endswith("*")
    if kind in ("FUNCTION", "POLYFUNCTION"):
        return "needed_function" if "errhandler" in name else "function"
    if kind == "BUFFER":
        return "buffer"
    if kind in ("ARGUMENT_COUNT", "ARGUMENT_LIST", "EXTRA_STATE", "EXTRA_STATE2"):
        return "any_address" if is_address else "any_integer"
    if kind.startswith("ATTRIBUTE_VAL") and parameter.direction == "in":
        return "any_address"
    if kind == "STATUS":
        return "status" if parameter.direction != "out" else "status_or_ignore"
    if kind == "STRING" and parameter.direction == "in":
        return "text"
    if kind == "REQUEST" and is_address and parameter.direction != "out":
        return "requests" if parameter.array_suffix() else "request_in_place"
    if kind in HANDLES and is_address and parameter.direction == "inout" and not parameter.array_suffix():
        return f"handle_in_place, Kind::{HANDLES[kind]}"
    if kind == "KEYVAL" and parameter.direction == "inout":
        return f"keyval_in_place, Kind::{keyval_of(procedure)}"
    if kind in HANDLES and is_address and parameter.direction == "in":
        return f"handles, Kind::{HANDLES[kind]}"
    if kind == "POLYXFER_NUM_ELEM_NNI" and is_address:
        return "large_counts" if large else "counts"
    if is_address:
        return "result" if parameter.direction != "in" else "array"
    if kind in HANDLES:
        return HANDLES[kind] + ("_or_null" if parameter.nullable and kind in OR_NULL else "")
    if kind in COUNTS or (procedure.chapter == "io" and kind == "POLYXFER_NUM_ELEM"):
        return "count"
    if kind == "KEYVAL":
        return keyval_of(procedure)
    if kind == "RANK":
        return RANKS.get(name, "rank")
    if kind == "TAG":
        others = {other.name for other in procedure.parameters}
        receives = name == "recvtag" or (name == "tag" and "source" in others)
        return "receive_tag" if receives else "send_tag"
    return VALUES.get(kind, "any_integer")


def argument(parameter, procedure, large, exceptions) -> str:
    place = f"{procedure.name}.{parameter.name}"
    kind = exceptions["kinds"].get(place) or kind_of(parameter, procedure, large)
    name = exceptions["names"].get(place, parameter.name)
    good = exceptions["good"].get(place)
    if good is None:
        return f'{{"{name}", Kind::{kind}}}'
    if isinstance(good, str):
        return f'{{.name = "{name}", .kind = Kind::{kind}, .good_text = "{good}"}}'
    values = ", ".join(map(str, good))
    return f'{{.name = "{name}", .kind = Kind::{kind}, .good = {{{values}}}}}'


def row(procedure, name, large, exceptions) -> str:
    arguments = ", ".join(argument(parameter, procedure, large, exceptions) for parameter in procedure.c_parameters(large))
    succeeds = "false" if procedure.name in exceptions["fails"] else "true"
    before_init = "true" if procedure.before_init else "false"
    return f'      {{"{name}", {succeeds}, {before_init}, {{{arguments}}}, call<{name}>}},'


def documented(model, root) -> list[str]:
    """The error classes that the manual page of each procedure names."""
    import manual

    entries = manual.load(root / "spec", model)
    return [
        f'      {{"{name}", {{{", ".join(entry.errors)}}}}},' for entry in entries.values() if not entry.procedure.missing
        for name, _ in entry.procedure.variants()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    sys.path.insert(0, str(options.root / "gen"))
    import model

    exceptions = tomllib.loads((Path(__file__).parent / "exceptions.toml").read_text())
    interface = model.load(options.root / "spec")
    rows = [
        row(procedure, name, large, exceptions)
        for procedure in interface.existing()
        if procedure.error_code and procedure.name not in exceptions["left_out"]
        if not any(parameter.is_variadic() for parameter in procedure.parameters)
        for name, large in procedure.variants()
    ]
    options.out.write_text(f"""// Generated from spec/ by tests/conformance/bad_input/emit_table.py.
#include <mpi.h>

#include "cases.hpp"

namespace antiphon::bad_input {{

std::vector<Procedure> procedures() {{
  return {{
{chr(10).join(rows)}
  }};
}}

std::map<std::string, std::set<int>> documented_classes() {{
  return {{
{chr(10).join(documented(interface, options.root))}
  }};
}}

}}  // namespace antiphon::bad_input
""")


if __name__ == "__main__":
    main()
