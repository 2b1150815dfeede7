"""A manual page as sections, whatever it is printed in."""

from __future__ import annotations

from dataclasses import dataclass

import fortran
import manual_fortran
from cxx_binding import Binding
from manual import Entry, Page, paragraphs
from model import Interface, Procedure
from text import wrapped_call


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Code:
    text: str
    title: str = ""


@dataclass(frozen=True)
class Items:
    """Terms and what they mean."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class References:
    names: tuple[str, ...]


@dataclass(frozen=True)
class Section:
    title: str
    blocks: tuple[Text | Code | Items | References, ...]


_COLUMNS = 72  # of a terminal, less the margin
_DIRECTIONS = {"in": "in", "out": "out", "inout": "in and out"}


def names(entry: Entry) -> list[str]:
    """All names that a program may call it by."""
    plain = [name for name, _ in entry.procedure.variants()]
    return plain + ["P" + name for name in plain]


def sections(interface: Interface, binding: Binding, entry: Entry) -> list[Section]:
    """All but the name."""
    result = [
        Section("Synopsis", tuple(_synopses(interface, binding, entry))),
        Section("Description", tuple(Text(paragraph) for paragraph in _description(entry))),
    ]
    if entry.procedure.parameters:
        result.append(Section("Parameters", (Items(tuple(_parameters(entry))),)))
    if entry.semantics:
        result.append(Section("Semantics", tuple(Text(sentence) for sentence in entry.semantics)))
    if entry.procedure.error_code:
        code = "MPI_SUCCESS, or an error code if the error handler lets the call return."
        result.append(Section("Return value", (Text(code),)))
    if entry.errors:
        result.append(Section("Errors", (Items(tuple(entry.errors.items())),)))
    if entry.example:
        result.append(Section("Example", (Code(entry.example.rstrip()),)))
    result.append(Section("Standard", (Text(_place(entry)),)))
    if entry.see_also:
        result.append(Section("See also", (References(entry.see_also),)))
    return result


def page_sections(page: Page) -> list[Section]:
    result = []
    for part in page.sections:
        blocks: list[Text | Code | Items] = [Text(text) for text in paragraphs(part.get("text", ""))]
        if "code" in part:
            blocks.append(Code(part["code"].strip()))
        if "items" in part:
            blocks.append(Items(tuple(part["items"].items())))
        result.append(Section(part["title"], tuple(blocks)))
    return [*result, Section("See also", (References(page.see_also),))]


def _synopses(interface: Interface, binding: Binding, entry: Entry) -> list[Text | Code]:
    procedure = entry.procedure
    in_c = [
        wrapped_call(f"{procedure.returns} {name}", procedure.declarations(large) or ["void"], ";", columns=_COLUMNS)
        for name, large in procedure.variants()
    ]
    blocks: list[Text | Code] = [Code("#include <mpi.h>\n\n" + "\n\n".join(in_c), "C")]
    if callbacks := _callbacks(interface, procedure):
        blocks.append(Code(callbacks, "Functions of the program, in C"))
    if manual_fortran.has_f08_binding(procedure):
        blocks.append(Code("use mpi_f08\n\n" + manual_fortran.f08_synopsis(interface, procedure), "Fortran 2008"))
        if manual_fortran.large_note(procedure):
            blocks.append(Text(manual_fortran.large_note(procedure)))
    if fortran.has_binding(procedure):
        in_fortran = manual_fortran.f90_synopsis(interface, procedure)
        blocks.append(Code("use mpi  ! or include 'mpif.h'\n\n" + in_fortran, "Fortran"))
    in_cxx = [
        wrapped_call(f.synopsis_head(), f.argument_list(), f.suffix() + ";", columns=_COLUMNS)
        for f in binding.of(procedure.name)
    ]
    if in_cxx:
        blocks.append(Code("#include <mpicxx.h>\n\n" + "\n".join(in_cxx), "C++ of MPI-2.2"))
    return blocks


def _callbacks(interface: Interface, procedure: Procedure) -> str:
    """The prototypes of the functions that the program passes."""
    types = {function.name: function for function in interface.types.functions}
    named = dict.fromkeys(p.c_type(large).removesuffix("*") for _, large in procedure.variants() for p in procedure.parameters)
    return "\n\n".join(
        wrapped_call(f"typedef {types[name].returns} {name}", list(types[name].parameters), ";", columns=_COLUMNS)
        for name in named
        if name in types
    )


def _description(entry: Entry) -> list[str]:
    procedure = entry.procedure
    texts = list(entry.description) or [f"{procedure.name} {entry.summary}."]
    if procedure.large:
        texts.append(f"{procedure.name}_c is the same procedure with arguments that hold counts beyond the range of an int.")
    return texts


def _parameters(entry: Entry) -> list[tuple[str, str]]:
    result = []
    for parameter in entry.procedure.parameters:
        only = f"; of {entry.procedure.name}_c only" if parameter.large_only else ""
        meaning = _as_sentence(entry.parameters[parameter.name] + only)
        result.append((f"{parameter.name} ({_DIRECTIONS[parameter.direction]})", meaning))
    return result


def _as_sentence(text: str) -> str:
    return text[0].upper() + text[1:].rstrip(".") + "."


def _place(entry: Entry) -> str:
    number, _, title = entry.chapter.partition(", ")
    since = f"; there since MPI {entry.procedure.since}" if entry.procedure.since else ""
    deprecated = f", deprecated since {entry.procedure.deprecated}" if entry.procedure.deprecated else ""
    return f"MPI 5.0, chapter {number} ({title}){since}{deprecated}."
