"""The interface as Fortran has it: which procedures, under which names, with which arguments. Read by the emitters of
the modules and of the entry points, so that both sides of a call agree, and by the manual."""

from __future__ import annotations

from dataclasses import dataclass

from model import Interface, Parameter, Procedure

# What Fortran's argument lists leave out.
_C_ONLY_KINDS = ("ARGUMENT_COUNT", "ARGUMENT_LIST", "VARARGS")
# Arguments that are attributes, arrays of strings, or what functions of the program get: bindings/fortran has those entry
# points.
_KINDS_BY_HAND = (
    "ATTRIBUTE_VAL", "ATTRIBUTE_VAL_10", "EXTRA_STATE", "EXTRA_STATE2", "STRING_ARRAY", "STRING_2DARRAY",
)
_OTHER_NAMES = {"indx": "index"}
_INTEGERS = {
    "int": "integer",
    "MPI_Aint": "integer(MPI_ADDRESS_KIND)",
    "MPI_Count": "integer(MPI_COUNT_KIND)",
    "MPI_Offset": "integer(MPI_OFFSET_KIND)",
    "double": "double precision",
}
# In the standard ABI addresses, counts and offsets have the same size, so overloads cannot differ by these alone.
_SIZES = {"MPI_Aint": 8, "MPI_Count": 8, "MPI_Offset": 8, "int": 4}


@dataclass(frozen=True)
class Specific:
    """One external procedure of mpi_f08: the specific name, and which variant of the C interface it stands for."""

    name: str
    procedure: Procedure
    large: bool

    @property
    def c_name(self) -> str:
        return self.procedure.name + ("_c" if self.large else "")

    @property
    def generic(self) -> str:
        """What programs call. A callback's type does not tell overloads apart, so those have names of their own."""
        return self.c_name if takes_polymorphic_function(self.procedure) else self.procedure.name


def procedures(interface: Interface) -> list[Procedure]:
    return [procedure for procedure in interface.existing() if has_binding(procedure)]


def has_binding(procedure: Procedure) -> bool:
    """The integers of handles, and tools, are C's."""
    return not procedure.c_only and not procedure.name.endswith(("_toint", "_fromint")) and procedure.chapter != "tools"


def parameters(procedure: Procedure, large: bool = False) -> list[Parameter]:
    """Without ierror."""
    return [p for p in procedure.c_parameters(large) if p.kind.name not in _C_ONLY_KINDS]


def argument_name(parameter: Parameter) -> str:
    return _OTHER_NAMES.get(parameter.name, parameter.name)


def argument_names(procedure: Procedure, large: bool = False) -> list[str]:
    names = [argument_name(p) for p in parameters(procedure, large)]
    return names + (["ierror"] if has_ierror(procedure) else [])


def has_ierror(procedure: Procedure) -> bool:
    return procedure.error_code and procedure.name != "MPI_Pcontrol"


def has_choice_buffer(procedure: Procedure) -> bool:
    return any(p.kind.name == "BUFFER" for p in procedure.parameters)


def is_by_hand(procedure: Procedure) -> bool:
    return any(p.kind.name in _KINDS_BY_HAND for p in procedure.parameters)


def takes_polymorphic_function(procedure: Procedure) -> bool:
    return any(p.kind.name == "POLYFUNCTION" for p in procedure.parameters)


def returns_address_alone_in_f08(procedure: Procedure) -> bool:
    """MPI_Buffer_detach and its kin: their address is unused in mpif.h and in module mpi."""
    return any(p.kind.name == "C_BUFFER2" for p in procedure.parameters)


def has_c_ptr_overload(procedure: Procedure) -> bool:
    return any(p.kind.name == "C_BUFFER" for p in procedure.parameters)


def specifics(procedure: Procedure) -> list[Specific]:
    suffix = "f08ts" if has_choice_buffer(procedure) else "f08"
    plain = Specific(f"{procedure.name}_{suffix}", procedure, large=False)
    if not _has_large_overload(procedure):
        return [plain]
    return [plain, Specific(f"{procedure.name}_c_{suffix}", procedure, large=True)]


def _has_large_overload(procedure: Procedure) -> bool:
    def shape(large: bool) -> list[object]:
        return [_SIZES.get(p.c_type(large).rstrip("*"), p.name) for p in parameters(procedure, large)]

    return procedure.large and (takes_polymorphic_function(procedure) or shape(False) != shape(True))


def is_asynchronous(procedure: Procedure, parameter: Parameter) -> bool:
    """Whether MPI may still use the argument after the call: mpi_f08 says so to the compiler."""
    is_buffer = parameter.kind.name == "BUFFER"
    kinds = {p.kind.name for p in procedure.parameters}
    if any(p.kind.name == "REQUEST" and p.direction == "out" for p in procedure.parameters):
        is_read_later = bool(parameter.length) and parameter.direction == "in"
        return is_buffer or is_read_later
    return is_buffer and ("WINDOW" in kinds or "DATATYPE" not in kinds)


def handle_type(interface: Interface, parameter: Parameter) -> str:
    """MPI_Comm for a communicator, nothing for what is no handle."""
    base = (parameter.c or parameter.kind.c).rstrip("*")
    return base if base in interface.types.handles else ""


def number_type(parameter: Parameter, large: bool) -> str:
    return _INTEGERS[parameter.c_type(large).rstrip("*")]


def function_result(procedure: Procedure) -> str:
    """The type of what is a function in Fortran, too; nothing for a subroutine."""
    return "" if has_ierror(procedure) or procedure.returns == "int" else _INTEGERS[procedure.returns]
