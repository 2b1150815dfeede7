"""A manual page as sections, whatever it is printed in."""

from __future__ import annotations

from dataclasses import dataclass

import fortran
import manual_fortran
from cxx_binding import Binding
from manual import Entry
from model import Interface
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
        Section("Description", _description(entry)),
    ]
    if entry.procedure.parameters:
        result.append(Section("Parameters", (Items(tuple(_parameters(entry))),)))
    if entry.procedure.error_code:
        code = "MPI_SUCCESS, or an error code if the error handler lets it return."
        result.append(Section("Return value", (Text(code),)))
    if entry.errors:
        texts = {error.name: error.text for error in interface.errors}
        result.append(Section("Errors", (Items(tuple((name, _as_sentence(texts[name])) for name in entry.errors)),)))
    if entry.example:
        result.append(Section("Example", (Code(entry.example.rstrip()),)))
    result.append(Section("Standard", (Text(_place(entry)),)))
    if entry.see_also:
        result.append(Section("See also", (References(entry.see_also),)))
    return result


def _synopses(interface: Interface, binding: Binding, entry: Entry) -> list[Text | Code]:
    procedure = entry.procedure
    in_c = [
        wrapped_call(f"{procedure.returns} {name}", procedure.declarations(large) or ["void"], ";", columns=_COLUMNS)
        for name, large in procedure.variants()
    ]
    blocks: list[Text | Code] = [Code("#include <mpi.h>\n\n" + "\n\n".join(in_c), "C")]
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


def _description(entry: Entry) -> tuple[Text, ...]:
    texts = [f"{entry.procedure.name} {entry.sentence}."]
    if entry.procedure.form:
        texts.append("It is a collective: all processes of comm call it, with arguments that agree.")
    if any(p.kind.name == "BUFFER" for p in entry.procedure.parameters) and _starts_something(entry):
        texts.append("The buffers are MPI's until the operation is complete, as MPI_Wait or MPI_Test tell.")
    if entry.procedure.large:
        texts.append(f"{entry.procedure.name}_c is the same with counts beyond those of an int.")
    if entry.procedure.before_init:
        texts.append("It may be called before MPI is initialized and after it is finalized.")
    return tuple(Text(text) for text in texts)


def _starts_something(entry: Entry) -> bool:
    return any(p.kind.name == "REQUEST" and p.direction == "out" for p in entry.procedure.parameters)


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
