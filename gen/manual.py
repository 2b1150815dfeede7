"""What the manual pages say, as data: spec/manual (its README explains the keys) joined with the procedures."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from model import Interface, Parameter, Procedure

_TABLES = ("parameters", "errors")


@dataclass(frozen=True)
class Entry:
    procedure: Procedure
    chapter: str  # of the standard, for instance "3, Point-to-Point Communication"
    group: str
    sentence: str  # a predicate: "sends a message"
    parameters: dict[str, str]  # name -> meaning
    errors: tuple[str, ...]  # names of error classes
    see_also: tuple[str, ...]
    example: str = ""  # the text of a program in C


def load(spec: Path, interface: Interface) -> dict[str, Entry]:
    """Procedure -> entry, for each procedure that has a sentence, in the order of chapters and groups."""
    folder = spec / "manual"
    names, kinds = _read(folder / "parameters.toml")["names"], _read(folder / "kinds.toml")
    procedures = {procedure.name: procedure for procedure in interface.procedures()}
    forms = _forms(interface)
    entries: dict[str, Entry] = {}
    for path in sorted((folder / "chapters").glob("*.toml"), key=_number_of_chapter):
        chapter = _read(path)
        for group, sentences in chapter.items():
            if group == "chapter" or group in _TABLES:
                continue
            for name, sentence in sentences.items():
                for form in [procedures[name], *forms.get(name, [])]:
                    entries[form.name] = Entry(
                        procedure=form,
                        chapter=chapter["chapter"],
                        group=group,
                        sentence=_sentence(form, sentence),
                        parameters={
                            p.name: _meaning(name, p, chapter, names, kinds["meaning"]) for p in form.parameters
                        },
                        errors=_errors(name, form, chapter, kinds["error"]),
                        see_also=_see_also(form.name, name, list(sentences), forms, procedures),
                        example=_example(folder / "examples", form.name),
                    )
    return entries


def _read(path: Path) -> dict:
    with path.open("rb") as file:
        return tomllib.load(file)


def _number_of_chapter(path: Path) -> int:
    return int(_read(path)["chapter"].partition(",")[0])


def _forms(interface: Interface) -> dict[str, list[Procedure]]:
    """A blocking collective -> its other forms, which share its body."""
    blocking = {p.body_name(): p.name for p in interface.procedures() if p.form == "blocking"}
    result: dict[str, list[Procedure]] = {}
    for procedure in interface.procedures():
        if procedure.is_for_later():
            result.setdefault(blocking[procedure.body_name()], []).append(procedure)
    return result


def _sentence(form: Procedure, sentence: str) -> str:
    if form.form == "nonblocking":
        return f"starts a collective that {sentence}"
    if form.form == "persistent":
        return f"makes a persistent request; whenever it is started, it {sentence}"
    return sentence


def _meaning(base: str, parameter: Parameter, chapter: dict, names: dict, kinds: dict) -> str:
    of_procedure = chapter.get("parameters", {}).get(f"{base}.{parameter.name}")
    by_name = names.get(f"{parameter.name}/{parameter.direction}") or names.get(parameter.name)
    meaning = of_procedure or by_name or kinds[parameter.kind.name]
    if parameter.array_suffix() and parameter.length not in ("", "*"):
        meaning += f" ({parameter.length} elements)"
    return meaning + ("; matters at the root only" if parameter.root_only else "")


def _errors(base: str, form: Procedure, chapter: dict, of_kinds: dict) -> tuple[str, ...]:
    """Without those for arguments that MPI cannot look at: results."""
    if not form.error_code:
        return ()
    found = []
    for parameter in form.parameters:
        is_root = parameter.name == "root"
        error = "MPI_ERR_ROOT" if is_root else of_kinds.get(parameter.kind.name, "")
        if error and parameter.direction != "out":
            found.append(error)
    return tuple(dict.fromkeys(found + chapter.get("errors", {}).get(base, [])))


def _see_also(name: str, base: str, group: list[str], forms: dict[str, list[Procedure]],
              procedures: dict[str, Procedure]) -> tuple[str, ...]:
    of_base = [base, *(form.name for form in forms.get(base, []))]
    others = dict.fromkeys([*of_base, *group])
    return tuple(other for other in others if other != name and not procedures[other].missing)


def _example(folder: Path, name: str) -> str:
    path = folder / f"{_read(folder / 'also.toml').get(name, name)}.c"
    return path.read_text() if path.exists() else ""
