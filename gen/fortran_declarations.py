"""Arguments as Fortran declares them, in each of its two modules. Read by the emitter of the modules and by the manual,
so that a page says what the compiler sees."""

from __future__ import annotations

import fortran
from model import Interface, Parameter, Procedure


class Flavour:
    """What differs between the modules: the types of arguments."""

    ierror: str

    def __init__(self, interface: Interface) -> None:
        self.interface = interface

    def declarations(self, procedure: Procedure, large: bool, c_ptr: bool) -> list[str]:
        lines = [d for p in fortran.parameters(procedure, large) for d in self.declaration(procedure, p, large, c_ptr)]
        return lines + ([self.ierror] if fortran.has_ierror(procedure) else [])

    def declaration(self, procedure: Procedure, p: Parameter, large: bool, c_ptr: bool) -> list[str]:
        name, kind = fortran.argument_name(p), p.kind.name
        if kind == "BUFFER":
            return self.choice(procedure, p)
        if kind == "STATUS":
            return [self.status(p)]
        if kind in ("FUNCTION", "POLYFUNCTION"):
            return [self.function(p, large)]
        return [f"{self.type_of(p, large, c_ptr)}{self.attributes(procedure, p)} :: {name}{self.shape(p)}"]

    def shape(self, p: Parameter) -> str:
        if p.array == "[][3]":
            return "(3, *)"
        return f"({self.length(p)})" if p.array_suffix() and p.kind.name != "STRING" else ""

    def length(self, p: Parameter) -> str:
        return "*"

    def attributes(self, procedure: Procedure, p: Parameter) -> str:
        """Nothing where a sentinel may stand for an array that the call sets."""
        return "" if p.kind.name in ("WEIGHT", "ERROR_CODE") and p.length else f", intent({p.direction})"

    def type_of(self, p: Parameter, large: bool, c_ptr: bool) -> str:
        kind = p.kind.name
        if kind in ("C_BUFFER", "C_BUFFER2"):
            return "type(c_ptr)" if c_ptr else "integer(MPI_ADDRESS_KIND)"
        if kind in ("ATTRIBUTE_VAL", "EXTRA_STATE"):
            return "integer(MPI_ADDRESS_KIND)"
        if kind in ("ATTRIBUTE_VAL_10", "EXTRA_STATE2"):
            return "integer"
        if kind in ("STRING", "STRING_ARRAY", "STRING_2DARRAY"):
            return "character(len=*)"
        if kind in ("LOGICAL", "LOGICAL_OPTIONAL"):
            return "logical"
        handle = fortran.handle_type(self.interface, p)
        return self.handle(handle) if handle else fortran.number_type(p, large)


class Mpi(Flavour):
    ierror = "integer, intent(out) :: ierror"

    def declaration(self, procedure: Procedure, p: Parameter, large: bool, c_ptr: bool) -> list[str]:
        """The address of a detached buffer is of any type, and stays as it was: only mpi_f08 has a type for it."""
        if p.kind.name == "C_BUFFER2":
            return self.choice(procedure, p)
        return super().declaration(procedure, p, large, c_ptr)

    def handle(self, name: str) -> str:
        return "integer"

    def choice(self, procedure: Procedure, p: Parameter) -> list[str]:
        """Any type, any rank: gfortran's and flang's ways to say so without a descriptor."""
        directives = [f"!GCC$ attributes no_arg_check :: {p.name}", f"!dir$ ignore_tkr(tkrdm) {p.name}"]
        return [*directives, f"type(*), dimension(*) :: {p.name}"]

    def status(self, p: Parameter) -> str:
        return f"integer :: {p.name}(MPI_STATUS_SIZE{', *' if p.length else ''})"

    def function(self, p: Parameter, large: bool) -> str:
        return f"external :: {p.name}"


class F08(Flavour):
    ierror = "integer, optional, intent(out) :: ierror"

    def handle(self, name: str) -> str:
        return f"type({name})"

    def choice(self, procedure: Procedure, p: Parameter) -> list[str]:
        intent = ", intent(in)" if p.const else ""
        asynchronous = ", asynchronous" if fortran.is_asynchronous(procedure, p) else ""
        return [f"type(*), dimension(..){intent}{asynchronous} :: {p.name}"]

    def attributes(self, procedure: Procedure, p: Parameter) -> str:
        return super().attributes(procedure, p) + (", asynchronous" if fortran.is_asynchronous(procedure, p) else "")

    def status(self, p: Parameter) -> str:
        intent = f", intent({p.direction})" if p.const or p.direction == "inout" else ""
        return f"type(MPI_Status){intent} :: {p.name}{f'({self.length(p)})' if p.length else ''}"

    def function(self, p: Parameter, large: bool) -> str:
        return f"procedure({p.c_type(large).rstrip('*')}) :: {p.name}"
