"""The Fortran synopses of manual pages: the declarations of the modules, in the manner of the standard."""

from __future__ import annotations

import fortran
from fortran_declarations import F08, Mpi
from model import Interface, Parameter, Procedure
from text import wrapped_call


class _F08(F08):
    """With the lengths of arrays, which a compiler need not know."""

    def length(self, p: Parameter) -> str:
        return p.length or "*"


class _F90(Mpi):
    """Without attributes, and in capitals; which types a buffer may have no compiler could say."""

    ierror = "INTEGER IERROR"

    def declaration(self, procedure: Procedure, p: Parameter, large: bool, c_ptr: bool) -> list[str]:
        if p.kind.name in ("BUFFER", "C_BUFFER2"):
            return [f"<type> {p.name.upper()}(*)"]
        kind, _, name = super().declaration(procedure, p, large, c_ptr)[0].partition(" :: ")
        return [f"{kind} {name}".upper()]

    def attributes(self, procedure: Procedure, p: Parameter) -> str:
        return ""

    def length(self, p: Parameter) -> str:
        return p.length or "*"


def has_f08_binding(procedure: Procedure) -> bool:
    """The standard's mpi_f08 has not what MPI 2 deprecated; that ours does is not for programs to count on."""
    return fortran.has_binding(procedure) and procedure.deprecated != "2.0"


def f08_synopsis(interface: Interface, procedure: Procedure) -> str:
    lines = _F08(interface).declarations(procedure, large=False, c_ptr=True)
    return _synopsis(procedure, procedure.name, fortran.argument_names(procedure), lines)


def f90_synopsis(interface: Interface, procedure: Procedure) -> str:
    lines = _F90(interface).declarations(procedure, large=False, c_ptr=False)
    arguments = [name.upper() for name in fortran.argument_names(procedure)]
    return _synopsis(procedure, procedure.name.upper(), arguments, lines)


def _synopsis(procedure: Procedure, name: str, arguments: list[str], declarations: list[str]) -> str:
    result = fortran.function_result(procedure)
    head = wrapped_call(f"{result} function {name}" if result else name, arguments, "", columns=72)
    return "\n".join([head, *(f"  {line}" for line in declarations)])


def large_note(procedure: Procedure) -> str:
    """What the large-count overload of mpi_f08 has in place of integers."""
    if len({specific.generic for specific in fortran.specifics(procedure)}) == len(fortran.specifics(procedure)):
        return ""
    wide = [fortran.argument_name(p) for p in fortran.parameters(procedure) if p.is_wide()]
    return f"With large counts, as an overload: {', '.join(wide)} of a wider kind." if wide else ""
