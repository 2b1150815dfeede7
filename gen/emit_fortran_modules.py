"""fortran/*.f90 and include/mpif.h: modules that contain no code, only constants, types and interfaces of what the
library of the bindings has, so that another compiler needs nothing but module files of its own. mpi and mpi_f08 share
antiphon_mpi_constants (numbers) and antiphon_mpi_types (types, and procedures that are the same in both)."""

from __future__ import annotations

import fortran
from fortran_declarations import F08, Flavour, Mpi
from model import Constant, Interface, Procedure
from text import NOTICE

_HEAD = f"! {NOTICE}\n"
_KINDS = {"MPI_ADDRESS_KIND": 8, "MPI_COUNT_KIND": 8, "MPI_OFFSET_KIND": 8, "MPI_INTEGER_KIND": 4}
_STATUS = {"MPI_STATUS_SIZE": 8, "MPI_SOURCE": 1, "MPI_TAG": 2, "MPI_ERROR": 3}
# Fortran's names for addresses that mean something else: variables whose own addresses bindings/fortran recognizes.
_SENTINELS = {
    "MPI_BOTTOM": "integer",
    "MPI_IN_PLACE": "integer",
    "MPI_BUFFER_AUTOMATIC": "integer",
    "MPI_ERRCODES_IGNORE": "integer, dimension(1)",
    "MPI_UNWEIGHTED": "integer, dimension(1)",
    "MPI_WEIGHTS_EMPTY": "integer, dimension(1)",
    "MPI_ARGV_NULL": "character(len=1), dimension(1)",
    "MPI_ARGVS_NULL": "character(len=1), dimension(1, 1)",
}
_STATUS_SENTINELS = {
    "MPI_STATUS_IGNORE": "integer, dimension(MPI_STATUS_SIZE)",
    "MPI_STATUSES_IGNORE": "integer, dimension(MPI_STATUS_SIZE, 1)",
}
_PREDEFINED_FUNCTIONS = {
    "MPI_NULL_COPY_FN": "MPI_Copy_function",
    "MPI_DUP_FN": "MPI_Copy_function",
    "MPI_NULL_DELETE_FN": "MPI_Delete_function",
    "MPI_COMM_NULL_COPY_FN": "MPI_Comm_copy_attr_function",
    "MPI_COMM_DUP_FN": "MPI_Comm_copy_attr_function",
    "MPI_COMM_NULL_DELETE_FN": "MPI_Comm_delete_attr_function",
    "MPI_TYPE_NULL_COPY_FN": "MPI_Type_copy_attr_function",
    "MPI_TYPE_DUP_FN": "MPI_Type_copy_attr_function",
    "MPI_TYPE_NULL_DELETE_FN": "MPI_Type_delete_attr_function",
    "MPI_WIN_NULL_COPY_FN": "MPI_Win_copy_attr_function",
    "MPI_WIN_DUP_FN": "MPI_Win_copy_attr_function",
    "MPI_WIN_NULL_DELETE_FN": "MPI_Win_delete_attr_function",
}
_COLUMNS = 110
# Where a flag changes the default kind of integers, these two cannot be told apart, and the compiler refuses the interface by
# their names, which say what is wrong. An error that only shows a line would not do: compilers print no lines of mpif.h.
_INTEGER_CHECK = ("MPI_needs_INTEGER_of_4_bytes", "compile_without_fdefault_integer_8_or_i8")


def emit(interface: Interface) -> dict[str, str]:
    """File name -> text."""
    return {
        "antiphon_mpi_constants.f90": _constants_module(interface),
        "antiphon_mpi_types.f90": _types_module(interface),
        "mpi.f90": _mpi_module(interface),
        "mpi_f08.f90": _mpi_f08_module(interface),
    }


# Constants.


def integers(interface: Interface) -> list[tuple[str, int | str]]:
    """Constants that are plain integers, error classes among them."""
    numbers: list[tuple[str, int | str]] = list(_KINDS.items()) + list(_STATUS.items())
    for group in interface.constant_groups:
        if group.c_type in ("macro", "int"):
            ours = [c for c in group.constants if not c.name.startswith(("MPI_F_", "MPI_T_"))]
            numbers += [(c.name, _fortran_value(c)) for c in ours]
    return numbers + [(e.name, e.value) for e in interface.errors if not e.name.startswith("MPI_T_")]


def _fortran_value(constant: Constant) -> int | str:
    """Lengths of strings do not count the null character of C."""
    is_length = constant.name.startswith("MPI_MAX_") and isinstance(constant.value, int)
    return constant.value - 1 if is_length else constant.value


def handles(interface: Interface) -> list[Constant]:
    return [
        c
        for group in interface.constant_groups
        if group.c_type in interface.types.handles
        for c in group.constants
        if not c.name.startswith("MPI_T_")
    ]


def _offsets(interface: Interface) -> list[Constant]:
    return [c for group in interface.constant_groups if group.c_type == "MPI_Offset" for c in group.constants]


def _logicals(supported: bool) -> dict[str, str]:
    value = ".true." if supported else ".false."
    return {"MPI_SUBARRAYS_SUPPORTED": value, "MPI_ASYNC_PROTECTS_NONBLOCKING": value}


def _common(name: str) -> str:
    return f"common /antiphon_{name.lower()}/ {name}"


def _sentinels(table: dict[str, str]) -> list[str]:
    return [line for name, kind in table.items() for line in (f"{kind} :: {name}", _common(name))]


def _integer_check() -> list[str]:
    kinds = ("integer", "integer(selected_int_kind(18))")
    members = [
        line
        for name, kind in zip(_INTEGER_CHECK, kinds)
        for line in (f"  subroutine {name}(i)", f"    {kind} i", "  end subroutine")
    ]
    return ["interface antiphon_integers", *members, "end interface"]


# Interfaces.


def wrapped(line: str, indent: int) -> str:
    """A statement in free form, continued where it is too long. Directives are no statements."""
    if line.startswith("!"):
        return line
    pieces, rest = [], " " * indent + line
    while len(rest) > _COLUMNS:
        cut = rest.rindex(" ", 0, _COLUMNS)
        pieces.append(rest[:cut] + " &")
        rest = " " * (indent + 4) + rest[cut:].lstrip()
    return "\n".join([*pieces, rest])


def _procedure(head: str, tail: str, arguments: list[str], body: list[str]) -> str:
    keyword = "function" if "function" in head else "subroutine"
    first = wrapped(f"{head}({', '.join(arguments)}){tail}", 4)
    lines = [wrapped(line, 6) for line in ["import", *body]]
    return "\n".join([first, *lines, f"    end {keyword}"])


def _one(
    flavour: Flavour, procedure: Procedure, name: str, tail: str = "", large: bool = False, c_ptr: bool = False
) -> str:
    result = fortran.function_result(procedure)
    head = f"{result} function {name}" if result else f"subroutine {name}"
    return _procedure(head, tail, fortran.argument_names(procedure, large), flavour.declarations(procedure, large, c_ptr))


def _tail(prefix: str, name: str) -> str:
    """Descriptors are the C ones in procedures that are bind(C) alone; the linker's name stays Fortran's."""
    return f' bind(C, name="{(prefix + name).lower()}_")'


def _generic(name: str, members: list[str]) -> str:
    return "\n".join([f"  interface {name}", *members, "  end interface"])


def _f08_interfaces(interface: Interface, prefix: str) -> list[str]:
    flavour, generics = F08(interface), {}
    for procedure in fortran.procedures(interface):
        for specific in fortran.specifics(procedure):
            tail = _tail(prefix, specific.name) if fortran.has_choice_buffer(procedure) else ""
            text = _one(flavour, procedure, prefix + specific.name, tail, specific.large, c_ptr=True)
            generics.setdefault(prefix + specific.generic, []).append(text)
    return [_generic(name, members) for name, members in generics.items()]


def _mpi_interfaces(interface: Interface, prefix: str) -> list[str]:
    flavour, plain, generics = Mpi(interface), [], []
    for procedure in fortran.procedures(interface):
        name = prefix + procedure.name
        text = _one(flavour, procedure, name)
        if fortran.has_c_ptr_overload(procedure):
            generics.append(_generic(name, [text, _one(flavour, procedure, name + "_cptr", c_ptr=True)]))
        else:
            plain.append(text)
    return [_generic("", plain), *generics]


# Modules.


def _module(name: str, uses: list[str], lines: list[str], blocks: list[str]) -> str:
    body = [f"  {line}" for line in [*uses, "implicit none", *lines]]
    return "\n".join([f"{_HEAD}module {name}", *body, *blocks, f"end module {name}"]) + "\n"


def _constants_module(interface: Interface) -> str:
    lines = [f"integer, parameter :: {name} = {value}" for name, value in integers(interface)]
    lines += [f"integer(MPI_OFFSET_KIND), parameter :: {c.name} = {c.value}" for c in _offsets(interface)]
    lines += [*_sentinels(_SENTINELS), "private :: antiphon_integers", *_integer_check()]
    return _module("antiphon_mpi_constants", [], lines, [])


def handle_types(interface: Interface) -> list[str]:
    return [name for name in interface.types.handles if not name.startswith("MPI_T_")]


def _types_module(interface: Interface) -> str:
    names = handle_types(interface)
    types = [f"  type, bind(C) :: {name}\n    integer :: MPI_VAL\n  end type" for name in names]
    status = (
        "  type, bind(C) :: MPI_Status\n    integer :: MPI_SOURCE\n    integer :: MPI_TAG\n    integer :: MPI_ERROR\n"
        "    integer, private :: reserved(5)\n  end type"
    )
    operators = []
    for operator, verb in (("==", "eq"), ("/=", "ne")):
        members = [
            _procedure(f"elemental logical function antiphon_{verb}_{name.lower()}", "", ["a", "b"],
                       [f"type({name}), intent(in) :: a, b"])
            for name in names
        ]
        operators.append(_generic(f"operator({operator})", members))
    return _module("antiphon_mpi_types", ["use antiphon_mpi_constants"], [],
                   [*types, status, *operators, *_fortran_only("MPI_"), *_fortran_only("PMPI_")])


def _fortran_only(prefix: str) -> list[str]:
    """Procedures that C has not, the same in both modules."""
    ierror = "integer, optional, intent(out) :: ierror"
    f, f08 = "integer{} :: f_status(MPI_STATUS_SIZE)", "type(MPI_Status){} :: f08_status"
    to_f08 = [f.format(", intent(in)"), f08.format(", intent(out)"), ierror]
    to_f = [f08.format(", intent(in)"), f.format(", intent(out)"), ierror]
    sizeof = ["type(*), dimension(..), intent(in) :: x", "integer, intent(out) :: size", ierror]
    sync = ["type(*), dimension(..), asynchronous :: buf"]

    def one(name: str, arguments: list[str], body: list[str], tail: str = "") -> str:
        suffix = name.rsplit("_", 1)[0]
        return _generic(prefix + suffix, [_procedure(f"subroutine {prefix}{name}", tail, arguments, body)])

    return [
        one("Status_f2f08_f08", ["f_status", "f08_status", "ierror"], to_f08),
        one("Status_f082f_f08", ["f08_status", "f_status", "ierror"], to_f),
        one("Sizeof_f08ts", ["x", "size", "ierror"], sizeof, _tail(prefix, "Sizeof_f08ts")),
        one("F_sync_reg_f08ts", ["buf"], sync, _tail(prefix, "F_sync_reg_f08ts")),
    ]


_C_PTR = "use, intrinsic :: iso_c_binding, only: c_ptr"


def _mpi_module(interface: Interface) -> str:
    lines = ["private :: c_ptr"]
    lines += [f"logical, parameter :: {name} = {value}" for name, value in _logicals(False).items()]
    lines += [f"integer, parameter :: {c.name} = {c.value}" for c in handles(interface)]
    lines += _sentinels(_STATUS_SENTINELS)
    lines += [f"external :: {name}" for name in _PREDEFINED_FUNCTIONS]
    blocks = [*_mpi_interfaces(interface, ""), *_mpi_interfaces(interface, "P")]
    return _module("mpi", [_C_PTR, "use antiphon_mpi_types", "use antiphon_mpi_constants"], lines, blocks)


def _mpi_f08_module(interface: Interface) -> str:
    lines = ["private :: c_ptr"]
    lines += [f"logical, parameter :: {name} = {value}" for name, value in _logicals(True).items()]
    for c in handles(interface):
        value = c.value if isinstance(c.value, str) else f"{c.c_type}({c.value})"
        lines.append(f"type({c.c_type}), parameter :: {c.name} = {value}")
    f08_statuses = {"MPI_STATUS_IGNORE": "type(MPI_Status)", "MPI_STATUSES_IGNORE": "type(MPI_Status), dimension(1)"}
    lines += _sentinels(f08_statuses)
    lines += [f"procedure({kind}) :: {name}" for name, kind in _PREDEFINED_FUNCTIONS.items()]
    blocks = [*_f08_interfaces(interface, ""), *_f08_interfaces(interface, "P")]
    uses = [_C_PTR, "use antiphon_mpi_callbacks", "use antiphon_mpi_types", "use antiphon_mpi_constants"]
    return _module("mpi_f08", uses, lines, blocks)


# mpif.h: for the fixed form (columns 7 to 72) and the free form alike, so nothing is continued.


# What the library's functions return, whatever a flag makes of `double precision`.
_DOUBLE = "real(selected_real_kind(15, 307))"


def emit_mpif_h(interface: Interface) -> str:
    lines = _integer_check()
    for name, value in [*integers(interface), *((c.name, c.value) for c in handles(interface))]:
        lines += [f"integer {name}", f"parameter ({name}={value})"]
    for constant in _offsets(interface):
        lines += [f"integer(MPI_OFFSET_KIND) {constant.name}", f"parameter ({constant.name}={constant.value})"]
    for name, value in _logicals(False).items():
        lines += [f"logical {name}", f"parameter ({name}={value})"]
    for name, kind in {**_SENTINELS, **_STATUS_SENTINELS}.items():
        base, _, dimension = kind.partition(", dimension")
        lines += [f"{base.replace('character(len=1)', 'character*1')} {name}{dimension}", _common(name)]
    lines += [f"external {name}" for name in _PREDEFINED_FUNCTIONS]
    for procedure in fortran.procedures(interface):
        result = fortran.function_result(procedure).replace("double precision", _DOUBLE)
        for prefix in ("", "P") if result else ():
            lines += [f"{result} {prefix}{procedure.name}", f"external {prefix}{procedure.name}"]
    return f"! {NOTICE}\n" + "".join(f"      {line}\n" for line in lines)
