"""exports.map: the linker's version script; only procedures with a body are visible outside the library."""

from __future__ import annotations

from model import Interface


def emit(interface: Interface, bodies: set[str]) -> str:
    names = sorted(
        prefix + name
        for procedure in interface.procedures()
        if procedure.body_name() in bodies
        for name, _ in procedure.variants()
        for prefix in ("", "P")
    )
    visible = "  global:\n" + "".join(f"    {name};\n" for name in names) if names else ""
    return f"{{\n{visible}  local:\n    *;\n}};\n"
