"""The Fortran synopses of manual pages, which follow from the kinds of parameters."""

from __future__ import annotations

from model import Interface, Parameter, Procedure
from text import wrapped_call

_NO_ARGUMENTS = ("ARGUMENT_COUNT", "ARGUMENT_LIST", "VARARGS")
_C_ONLY = ("MPI_Abi_get_fortran", "MPI_Abi_set_fortran")
_WIDTHS = {"MPI_Aint": "MPI_ADDRESS_KIND", "MPI_Count": "MPI_COUNT_KIND", "MPI_Offset": "MPI_OFFSET_KIND"}
_RESULTS = {"double": "double precision", "MPI_Aint": "integer(kind=MPI_ADDRESS_KIND)"}


def has_binding(procedure: Procedure) -> bool:
    name = procedure.name
    return procedure.chapter not in ("tools", "handles") and not name.startswith(_C_ONLY) and not name.endswith("int")


def has_f08_binding(procedure: Procedure) -> bool:
    return has_binding(procedure) and procedure.deprecated != "2.0"


def f08_synopsis(interface: Interface, procedure: Procedure) -> str:
    lines = [_head(procedure, procedure.name, "ierror")]
    for parameter in _parameters(procedure):
        lines.append(f"  {_f08_type(interface, procedure, parameter)} :: {_name(parameter)}{_shape(parameter)}")
    if _has_ierror(procedure):
        lines.append("  integer, optional, intent(out) :: ierror")
    return "\n".join(lines)


def large_note(procedure: Procedure) -> str:
    """What the large-count overload of mpi_f08 has in place of integers."""
    numbers = [p for p in _parameters(procedure) if procedure.large and not p.kind.name.endswith("FUNCTION")]
    wide = [_name(p) for p in numbers if p.is_wide()]
    return f"With large counts, as an overload: {', '.join(wide)} of a wider kind." if wide else ""


def f90_synopsis(interface: Interface, procedure: Procedure) -> str:
    lines = [_head(procedure, procedure.name.upper(), "IERROR", upper=True)]
    for parameter in _parameters(procedure):
        lines.append(f"  {_f90_declaration(interface, parameter)}")
    if _has_ierror(procedure):
        lines.append("  INTEGER IERROR")
    return "\n".join(lines)


def _has_ierror(procedure: Procedure) -> bool:
    return procedure.error_code and not any(p.is_variadic() for p in procedure.parameters)


def _parameters(procedure: Procedure) -> list[Parameter]:
    return [p for p in procedure.c_parameters(large=False) if p.kind.name not in _NO_ARGUMENTS]


def _name(parameter: Parameter) -> str:
    return "index" if parameter.name == "indx" else parameter.name


def _head(procedure: Procedure, name: str, ierror: str, upper: bool = False) -> str:
    arguments = [_name(p) for p in _parameters(procedure)] + ([ierror] if _has_ierror(procedure) else [])
    is_subroutine = _has_ierror(procedure) or procedure.returns == "int"
    head = name if is_subroutine else f"{_RESULTS[procedure.returns]} function {name}"
    return wrapped_call(head, [a.upper() for a in arguments] if upper else arguments, "", columns=72)


def _handle(interface: Interface, parameter: Parameter) -> str:
    base = (parameter.c or parameter.kind.c).rstrip("*")
    return base if base in interface.types.handles else ""


def _number(parameter: Parameter) -> str:
    width = _WIDTHS.get(parameter.c_type(large=False).rstrip("*"))
    return f"integer(kind={width})" if width else "integer"


def _shape(parameter: Parameter) -> str:
    if parameter.array == "[][3]":
        return "(3, *)"
    is_array = parameter.array_suffix() or (parameter.kind.name == "STATUS" and parameter.length)
    if not is_array or parameter.kind.name == "STRING":
        return ""
    return f"({parameter.length if parameter.length else '*'})"


def _f08_type(interface: Interface, procedure: Procedure, parameter: Parameter) -> str:
    kind, intent = parameter.kind.name, f", intent({parameter.direction})"
    if kind == "BUFFER":
        later = any(p.kind.name == "REQUEST" and p.direction == "out" for p in procedure.parameters)
        is_read = ", intent(in)" if parameter.const else ""
        return f"type(*), dimension(..){is_read}{', asynchronous' if later else ''}"
    if kind in ("FUNCTION", "POLYFUNCTION"):
        return f"procedure({parameter.c_type(large=False).rstrip('*')})"
    if kind in ("C_BUFFER", "C_BUFFER2"):
        return "type(c_ptr)" + intent
    if kind == "STATUS":
        return "type(MPI_Status)" + ("" if parameter.direction == "out" else intent)
    if _handle(interface, parameter):
        return f"type({_handle(interface, parameter)}){intent}"
    return _plain_type(parameter) + intent


def _plain_type(parameter: Parameter) -> str:
    kind = parameter.kind.name
    if kind.startswith("STRING") and parameter.kind.c.startswith("char"):
        return "character(len=*)"
    if kind.startswith("LOGICAL"):
        return "logical"
    if kind in ("EXTRA_STATE", "EXTRA_STATE2", "ATTRIBUTE_VAL"):
        return "integer" if parameter.kind.name == "EXTRA_STATE2" else "integer(kind=MPI_ADDRESS_KIND)"
    return "integer" if kind == "ATTRIBUTE_VAL_10" else _number(parameter)


def _f90_declaration(interface: Interface, parameter: Parameter) -> str:
    kind, name, shape = parameter.kind.name, _name(parameter).upper(), _shape(parameter).upper()
    if kind in ("BUFFER", "C_BUFFER2"):
        return f"<type> {name}(*)"
    if kind in ("FUNCTION", "POLYFUNCTION"):
        return f"EXTERNAL {name}"
    if kind == "C_BUFFER":
        return f"INTEGER(KIND=MPI_ADDRESS_KIND) {name}"
    if kind == "STATUS":
        return f"INTEGER {name}(MPI_STATUS_SIZE{', *' if shape else ''})"
    if _handle(interface, parameter):
        return f"INTEGER {name}{shape}"
    return f"{_plain_type(parameter).upper().replace('CHARACTER(LEN=*)', 'CHARACTER*(*)')} {name}{shape}"
