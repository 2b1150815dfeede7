"""The C++ binding of MPI-2.2 as data: spec/mpicxx.toml, whose comments explain the keys, as typed objects."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

from model import Interface, Procedure


@dataclass(frozen=True)
class CxxParameter:
    type: str  # without the array part, for instance `const Datatype&`
    name: str
    array: str  # "[]", "[][3]" or ""

    def declaration(self) -> str:
        return f"{self.type} {self.name}{self.array}".rstrip()

    def class_name(self) -> str:
        """The type without const and reference."""
        return self.type.removeprefix("const ").rstrip("&")


@dataclass(frozen=True)
class Function:
    procedure: Procedure
    owner: str  # the class, or "" for one of the namespace
    name: str
    returns: str
    parameters: tuple[CxxParameter, ...]
    is_static: bool = False
    is_const: bool = False
    given: dict[str, str] = field(default_factory=dict)  # arguments that C++ does not ask for
    lengths: dict[str, str] = field(default_factory=dict)  # of arrays whose length C does not say
    body: str = ""

    def argument_list(self) -> list[str]:
        return [parameter.declaration() for parameter in self.parameters]

    def synopsis_head(self) -> str:
        """As the standard prints it: `static` if it is, and `void MPI::Comm::Send`."""
        static = "static " if self.is_static else ""
        scope = f"MPI::{self.owner}::" if self.owner else "MPI::"
        return f"{static}{self.returns} {scope}{self.name}"

    def suffix(self) -> str:
        return " const" if self.is_const else ""


@dataclass(frozen=True)
class Class:
    name: str
    c: str = ""
    null: str = ""
    base: str = ""
    clone: str = ""
    types: tuple[str, ...] = ()
    functions: tuple[Function, ...] = ()


@dataclass(frozen=True)
class Binding:
    classes: tuple[Class, ...]
    free: tuple[Function, ...]
    names: dict[str, str]
    constant_classes: dict[str, str]

    def functions(self) -> list[Function]:
        return [function for owner in self.classes for function in owner.functions] + list(self.free)

    def of(self, procedure: str) -> list[Function]:
        return [function for function in self.functions() if function.procedure.name == procedure]


def load(spec: Path, interface: Interface) -> Binding:
    with (spec / "mpicxx.toml").open("rb") as file:
        sections = tomllib.load(file)
    names, constant_classes = sections.pop("names"), sections.pop("constant_classes")
    procedures = {procedure.name: procedure for procedure in interface.procedures()}
    free = _functions("", sections.pop("free")["functions"], procedures)
    classes = tuple(_class(name, keys, procedures) for name, keys in sections.items())
    return Binding(classes, free, names, constant_classes)


def existing(binding: Binding) -> Binding:
    """What can be called: without functions whose procedures are missing."""

    def present(functions: tuple[Function, ...]) -> tuple[Function, ...]:
        return tuple(function for function in functions if not function.procedure.missing)

    classes = tuple(replace(owner, functions=present(owner.functions)) for owner in binding.classes)
    return replace(binding, classes=classes, free=present(binding.free))


def _class(name: str, keys: dict, procedures: dict[str, Procedure]) -> Class:
    functions = _functions(name, keys.pop("functions", {}), procedures)
    return Class(name, functions=functions, types=tuple(map(_on_one_line, keys.pop("types", []))), **keys)


def _functions(owner: str, entries: dict, procedures: dict[str, Procedure]) -> tuple[Function, ...]:
    result = []
    for name, entry in entries.items():
        if name not in procedures:
            raise ValueError(f"mpicxx.toml: {name} is no procedure")
        for one in entry if isinstance(entry, list) else [entry]:
            result += _with_and_without_status(_function(owner, procedures[name], one))
    return tuple(result)


_DECLARATION = re.compile(r"(static )?([\w:]+\*?) (\w+)\((.*)\)( const)?")


def _function(owner: str, procedure: Procedure, entry: str | dict) -> Function:
    keys = {"declaration": entry} if isinstance(entry, str) else entry
    found = _DECLARATION.fullmatch(_on_one_line(keys["declaration"]))
    if not found:
        raise ValueError(f"mpicxx.toml, {procedure.name}: this is no declaration: {keys['declaration']}")
    static, returns, name, parameters, const = found.groups()
    function = Function(
        procedure,
        owner,
        name,
        returns,
        tuple(_parameter(text) for text in parameters.split(", ") if text),
        bool(static),
        bool(const),
        keys.get("with", {}),
        keys.get("lengths", {}),
        _on_one_line(keys.get("body", "")),
    )
    if not function.body:
        _check_names(function)
    return function


def _check_names(function: Function) -> None:
    known = {parameter.name for parameter in function.procedure.parameters}
    for name in [*(parameter.name for parameter in function.parameters), *function.given]:
        if name not in known:
            raise ValueError(f"mpicxx.toml, {function.procedure.name}: the procedure has no parameter {name}")


def _parameter(text: str) -> CxxParameter:
    if text == "...":
        return CxxParameter("...", "", "")
    found = re.fullmatch(r"(.+[ *&])(\w+)((?:\[\d*\])*)", text)
    return CxxParameter(found[1].strip(), found[2], found[3])


def _with_and_without_status(function: Function) -> list[Function]:
    rest = tuple(p for p in function.parameters if not (p.class_name() == "Status" and function.owner != "Grequest"))
    both = [function]
    if len(rest) < len(function.parameters):
        both.append(replace(function, parameters=rest))
    return both


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
