"""exports.map: the linker's version script; only procedures that the library has are visible outside of it."""

from __future__ import annotations

from model import Interface


def emit(interface: Interface) -> str:
    names = sorted(
        prefix + name
        for procedure in interface.existing()
        for name, _ in procedure.variants()
        for prefix in ("", "P")
    )
    visible = "  global:\n" + "".join(f"    {name};\n" for name in names) if names else ""
    return f"{{\n{visible}  local:\n    *;\n}};\n"
