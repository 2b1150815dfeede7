"""The interface as data: what spec/ says, as typed objects that every emitter reads and none changes.

Keys of a procedure in spec/procedures/<chapter>.toml (a missing key means the default in brackets):
  returns [int]          C return type
  error_code [true]      the returned int is an error code; false: the procedure returns a value and cannot fail
  since, deprecated      version of the standard
  large [false]          has a large-count variant, named with `_c`, since MPI 4.0 or since the procedure itself
  before_init [false]    may be called before MPI is initialized and after it is finalized
  missing [false]        the library has no body for it yet: mpi.h declares it, but nothing exports it
  short [false]          api/short.hpp has a short way, which is tried first: by the large-count variant where its counts fit
  without_lane [false]   its body takes the lane itself, for as long as it needs it
  form                   of a collective: blocking, nonblocking or persistent. The three share the body of the first,
                         which carries its plan out or writes it down for later
  c_only [false]         has no Fortran binding
  parameters             in the order of the C interface

Keys of a parameter:
  name, kind             kind: a key of spec/kinds.toml
  direction [in]         in, out or inout: what the procedure does to the argument
  const [false]          the C declaration says const
  length                 it is an array of this many elements; "*" where no argument says how many
  array ["[]" or ""]     the array part of the C declaration, where it is not what `length` implies
  c, large               the C types where the kind does not give them
  nullable [the kind's]  the null handle is valid input
  of_new                 of an error handler: the object of this kind that the call makes will have it, and it hears of
                         errors of the call itself. "file", of another handle: the call names a file that is not open, so
                         MPI_FILE_NULL's error handler hears of its errors
  peer                   the rank argument for which the handle matters not when it is MPI_PROC_NULL: null is valid then
  modified [false]       the object behind an `in` handle changes
  large_only [false]     a parameter of the large-count variant alone
  root_only [false]      significant at the root alone
  from_one [false]       an index that the call returns, which counts from one in Fortran
  overflow               "undefined": a result that does not fit the plain variant's int becomes MPI_UNDEFINED
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Kind:
    """What parameters of one kind are in C and in a body; the keys are explained in spec/kinds.toml."""

    name: str
    handle: bool = False
    c: str = ""
    large: str = ""
    address: bool = False
    object: str = ""
    resolve: str = ""
    constant: bool = False
    nullable: bool = False
    owns_error_handler: bool = False
    as_pointer: bool = False
    view: str = ""


@dataclass(frozen=True)
class Parameter:
    name: str
    kind: Kind
    direction: str = "in"
    const: bool = False
    length: str = ""
    array: str = ""
    c: str = ""
    large: str = ""
    nullable: bool = False
    of_new: str = ""
    peer: str = ""
    modified: bool = False
    large_only: bool = False
    root_only: bool = False
    from_one: bool = False
    overflow: str = ""

    def c_type(self, large: bool) -> str:
        """The C type without const and without the array part."""
        if self.c:
            return self.large if large and self.large else self.c
        base = self.kind.large if large and self.kind.large else self.kind.c
        is_pointer_to_result = self.direction != "in" and not self.kind.address and not self.array_suffix()
        return base + ("*" if is_pointer_to_result else "")

    def array_suffix(self) -> str:
        if self.array:
            return self.array
        return "[]" if self.length and not self.kind.address and not self.c else ""

    def declaration(self, large: bool) -> str:
        """As the C prototype declares it, for instance `const int recvcounts[]`."""
        if self.kind.c == "...":
            return "..."
        const = "const " if self.const else ""
        if self.kind.as_pointer and self.array_suffix():
            return f"{const}{self.c_type(large)}* {self.name}"
        return f"{const}{self.c_type(large)} {self.name}{self.array_suffix()}"

    def is_variadic(self) -> bool:
        return self.kind.c == "..."

    def is_input_handle(self) -> bool:
        """One handle by value, whose object a body receives resolved."""
        return bool(self.kind.object) and self.c_type(large=False) == self.kind.c and not self.array_suffix()

    def is_wide(self) -> bool:
        """Whether the large-count variant declares another type."""
        return not self.large_only and self.c_type(large=False) != self.c_type(large=True)


@dataclass(frozen=True)
class Procedure:
    name: str
    chapter: str
    parameters: tuple[Parameter, ...] = ()
    returns: str = "int"
    error_code: bool = True
    since: str = ""
    deprecated: str = ""
    large: bool = False
    before_init: bool = False
    missing: bool = False
    short: bool = False
    without_lane: bool = False
    form: str = ""
    c_only: bool = False

    def body_name(self) -> str:
        name = self.name.removeprefix("MPI_")
        if self.is_for_later():
            name = name.removeprefix("I") if self.form == "nonblocking" else name.removesuffix("_init")
        return name.lower()

    def body_parameters(self) -> list[Parameter]:
        """Those that the body has: what makes a request of a plan is the entry point's affair."""
        return [p for p in self.parameters if not (self.is_for_later() and p.name in ("info", "request"))]

    def is_for_later(self) -> bool:
        """Whether it is another's nonblocking or persistent form."""
        return self.form in ("nonblocking", "persistent")

    def begins_something(self) -> bool:
        """Whether it starts what takes memory until it ends: an operation, which moves data, or an object. Not what completes
        or frees one."""
        kinds = {p.kind.name for p in self.parameters}
        makes_object = any(p.kind.handle and p.direction == "out" for p in self.parameters)
        return not self.before_init and bool(self.form or kinds >= {"BUFFER", "DATATYPE"} or makes_object)

    def variants(self) -> list[tuple[str, bool]]:
        """The names in the C interface, each with whether it is the large-count variant."""
        return [(self.name, False)] + ([(self.name + "_c", True)] if self.large else [])

    def c_parameters(self, large: bool) -> list[Parameter]:
        return [p for p in self.parameters if large or not p.large_only]

    def declarations(self, large: bool) -> list[str]:
        return [p.declaration(large) for p in self.c_parameters(large)]


@dataclass(frozen=True)
class Constant:
    name: str
    c_type: str
    value: int | str  # a string names the constant that this one is another name of
    deprecated: str = ""
    core_name: str = ""


@dataclass(frozen=True)
class ConstantGroup:
    title: str
    c_type: str
    constants: tuple[Constant, ...]


@dataclass(frozen=True)
class ErrorClass:
    name: str
    value: int
    text: str
    since: str = ""
    deprecated: str = ""


@dataclass(frozen=True)
class Removed:
    """A name that the standard has no more: its C declaration, who removed it, what replaced it."""

    name: str
    declaration: str
    since: str
    instead: str


@dataclass(frozen=True)
class FunctionType:
    name: str
    parameters: tuple[str, ...]
    returns: str = "int"
    deprecated: str = ""


@dataclass(frozen=True)
class Types:
    integers: dict[str, str]
    handles: tuple[str, ...]
    enumerations: tuple[str, ...]
    structures: dict[str, tuple[str, ...]]
    functions: tuple[FunctionType, ...]
    aliases: dict[str, str]


@dataclass(frozen=True)
class Interface:
    """The whole interface. Procedures keep the order of their chapters' files."""

    kinds: dict[str, Kind]
    types: Types
    constant_groups: tuple[ConstantGroup, ...]
    errors: tuple[ErrorClass, ...]
    chapters: dict[str, tuple[Procedure, ...]]
    removed: tuple[Removed, ...]

    def procedures(self) -> list[Procedure]:
        return [procedure for chapter in self.chapters.values() for procedure in chapter]

    def existing(self) -> list[Procedure]:
        """Those that the library has."""
        return [procedure for procedure in self.procedures() if not procedure.missing]

    def constants(self) -> list[Constant]:
        return [constant for group in self.constant_groups for constant in group.constants]


def load(spec: Path) -> Interface:
    kinds = _load_kinds(_read(spec / "kinds.toml"))
    chapters = {path.stem: _load_chapter(path, kinds) for path in sorted((spec / "procedures").glob("*.toml"))}
    errors = tuple(ErrorClass(name, **keys) for name, keys in _read(spec / "errors.toml").items())
    return Interface(
        kinds=kinds,
        types=_load_types(_read(spec / "types.toml")),
        constant_groups=tuple(_load_group(*item) for item in _read(spec / "constants.toml").items()),
        errors=tuple(sorted(errors, key=lambda error: error.value)),
        chapters=chapters,
        removed=tuple(Removed(name, **keys) for name, keys in _read(spec / "removed.toml").items()),
    )


def _read(path: Path) -> dict:
    with path.open("rb") as file:
        return tomllib.load(file)


def _load_kinds(sections: dict) -> dict[str, Kind]:
    return {
        name: Kind(name, section == "handles", **keys) for section, kinds in sections.items() for name, keys in kinds.items()
    }


def _load_chapter(path: Path, kinds: dict[str, Kind]) -> tuple[Procedure, ...]:
    return tuple(_load_procedure(name, path.stem, keys, kinds) for name, keys in _read(path).items())


def _load_procedure(name: str, chapter: str, keys: dict, kinds: dict[str, Kind]) -> Procedure:
    parameters = tuple(_load_parameter(name, entry, kinds) for entry in keys.pop("parameters", []))
    procedure = Procedure(name, chapter, parameters, **keys)
    if procedure.missing and (procedure.short or procedure.without_lane):
        raise ValueError(f"{name}: is missing, and so has no short way and no body")
    return procedure


def _load_parameter(procedure: str, keys: dict, kinds: dict[str, Kind]) -> Parameter:
    kind = kinds.get(keys["kind"])
    if kind is None:
        raise ValueError(f"{procedure}, parameter {keys['name']}: kind {keys['kind']} is not in kinds.toml")
    return Parameter(**{"nullable": kind.nullable, **keys, "kind": kind})


def _load_group(title: str, keys: dict) -> ConstantGroup:
    deprecated, core_names = keys.get("deprecated", {}), keys.get("core_name", {})
    constants = tuple(
        Constant(name, keys["type"], value, deprecated.get(name, ""), core_names.get(name, ""))
        for name, value in keys["values"].items()
    )
    return ConstantGroup(title, keys["type"], constants)


def _load_types(keys: dict) -> Types:
    functions = tuple(
        FunctionType(name, tuple(entry.pop("parameters")), **entry) for name, entry in keys["functions"].items()
    )
    return Types(
        integers=keys["integers"],
        handles=tuple(keys["handles"]["names"]),
        enumerations=tuple(keys["enumerations"]["names"]),
        structures={name: tuple(entry["members"]) for name, entry in keys["structures"].items()},
        functions=functions,
        aliases=keys["aliases"],
    )
