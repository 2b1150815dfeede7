"""Writes the generated part of the table of bad input: each procedure that has a body, with the kind of each argument.
Usage: emit_table.py --root SOURCE_TREE --out FILE"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

HANDLES = {
    "COMMUNICATOR": "communicator",
    "DATATYPE": "datatype",
    "ERRHANDLER": "errhandler",
    "GROUP": "group",
    "INFO": "info",
    "OPERATION": "operation",
}
COUNTS = {"POLYXFER_NUM_ELEM_NNI", "POLYDTYPE_NUM_ELEM_NNI", "ARRAY_LENGTH_NNI", "XFER_NUM_ELEM_NNI"}
VALUES = {"THREAD_LEVEL": "thread_level", "COLOR": "color", "ERROR_CODE": "error_code"}
RANKS = {"dest": "destination", "source": "source", "root": "root"}


def kind_of(parameter, procedure) -> str:
    """The kind of cases.hpp, with the kind of the handle behind an address where there is one."""
    name, kind = parameter.name, parameter.kind.name
    is_address = parameter.array_suffix() or parameter.c_type(large=False).endswith("*")
    if kind in ("FUNCTION", "POLYFUNCTION"):
        return "function"
    if kind == "BUFFER":
        return "buffer"
    if kind == "STATUS":
        return "status" if parameter.direction == "in" else "any_address"  # MPI_STATUS_IGNORE is null
    if kind == "STRING" and parameter.direction == "in":
        return "text"
    if kind == "REQUEST" and is_address and parameter.direction != "out":
        return "requests" if parameter.array_suffix() else "request_in_place"
    if kind in HANDLES and is_address and parameter.direction == "inout" and not parameter.array_suffix():
        return f"handle_in_place, Kind::{HANDLES[kind]}"
    if is_address:
        return "result" if parameter.direction != "in" else "any_address"
    if kind in HANDLES:
        return HANDLES[kind]
    if kind in COUNTS:
        return "count"
    if kind == "RANK" and name in RANKS:
        return RANKS[name]
    if kind == "TAG":
        others = {other.name for other in procedure.parameters}
        receives = name == "recvtag" or (name == "tag" and "source" in others)
        return "receive_tag" if receives else "send_tag"
    return VALUES.get(kind, "any_integer")


def row(procedure, name, large, kinds) -> str:
    arguments = ", ".join(
        f'{{"{parameter.name}", Kind::{kinds.get(f"{procedure.name}.{parameter.name}") or kind_of(parameter, procedure)}}}'
        for parameter in procedure.c_parameters(large)
    )
    before_init = "true" if procedure.before_init else "false"
    return f'      {{"{name}", {before_init}, {{{arguments}}}, call<{name}>}},'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    sys.path.insert(0, str(options.root / "gen"))
    import model
    import scan

    exceptions = tomllib.loads((Path(__file__).parent / "exceptions.toml").read_text())
    all_procedures = model.load(options.root / "spec").procedures()
    bodies = scan.bodies_under(options.root / "src" / "api", {p.body_name() for p in all_procedures})
    rows = [
        row(procedure, name, large, exceptions["kinds"])
        for procedure in all_procedures
        if procedure.body_name() in bodies and procedure.error_code and procedure.name not in exceptions["left_out"]
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

}}  // namespace antiphon::bad_input
""")


if __name__ == "__main__":
    main()
