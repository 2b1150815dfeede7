"""What the manual pages say, as data: spec/manual (its README explains the keys) joined with the procedures."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from model import Interface, Parameter, Procedure


@dataclass(frozen=True)
class Entry:
    procedure: Procedure
    chapter: str  # of the standard, for instance "3, Point-to-Point Communication"
    group: str
    summary: str  # a predicate: "sends a message"
    description: tuple[str, ...]  # paragraphs
    semantics: tuple[str, ...]  # sentences on what is local, what may block, when a buffer may be touched, ordering
    parameters: dict[str, str]  # name -> meaning
    errors: dict[str, str]  # name of the error class -> what causes it, as a sentence
    see_also: tuple[str, ...]
    example: str = ""  # the text of a program in C


@dataclass(frozen=True)
class Page:
    """Of a command or an overview."""

    name: str
    section: int
    summary: str
    sections: tuple[dict, ...]  # title; text, code and items, as far as there are any
    see_also: tuple[str, ...]  # names with their sections: "mpiexec(1)"
    also: tuple[str, ...] = ()  # other names of the command


def load_pages(spec: Path) -> list[Page]:
    """The pages that are not of procedures: spec/manual/pages/NAME.SECTION.toml."""
    pages = []
    for path in sorted((spec / "manual" / "pages").glob("*.toml")):
        name, _, section = path.stem.rpartition(".")
        keys = {key: tuple(value) if isinstance(value, list) else value for key, value in _read(path).items()}
        pages.append(Page(name=name, section=int(section), **keys))
    return pages


def load(spec: Path, interface: Interface) -> dict[str, Entry]:
    """Procedure -> entry, for each procedure of the manual, in the order of chapters and groups."""
    folder = spec / "manual"
    defaults = _Defaults(
        names=_read(folder / "parameters.toml")["names"],
        kinds=_read(folder / "kinds.toml"),
        forms=_read(folder / "forms.toml"),
    )
    procedures = {procedure.name: procedure for procedure in interface.procedures()}
    forms = _forms(interface)
    pages = _pages(folder / "chapters")
    texts = {name: _text_of(name, pages) for name in pages}
    groups: dict[tuple[str, str], list[str]] = {}
    for name, page in pages.items():
        if not _is_form(procedures[name]):
            groups.setdefault((page.chapter, page.group), []).append(name)
    entries: dict[str, Entry] = {}
    for (chapter, group), members in groups.items():
        for base in members:
            for form in [procedures[base], *forms.get(base, [])]:
                text = {**texts[base], **texts.get(form.name, {})}
                entries[form.name] = Entry(
                    procedure=form,
                    chapter=chapter,
                    group=group,
                    summary=_summary(form, base, text, texts, defaults),
                    description=paragraphs(text.get("description", "")) + defaults.of_form(form, "description"),
                    semantics=tuple(text.get("semantics", ())) + defaults.of_form(form, "semantics"),
                    parameters={p.name: _meaning(p, text, defaults) for p in form.parameters},
                    errors=_errors(form, text, defaults),
                    see_also=_see_also(form.name, base, members, text, forms, procedures),
                    example=_example(folder / "examples", form.name, base, text),
                )
    return entries


@dataclass(frozen=True)
class _Page:
    chapter: str
    group: str
    keys: dict


@dataclass(frozen=True)
class _Defaults:
    """What holds for parameters by name or kind, and for collectives by form, where a page says nothing else."""

    names: dict
    kinds: dict
    forms: dict

    def of_form(self, form: Procedure, key: str) -> tuple[str, ...]:
        return tuple(self.forms[form.form][key]) if form.form else ()


def _read(path: Path) -> dict:
    with path.open("rb") as file:
        return tomllib.load(file)


def _pages(folder: Path) -> dict[str, _Page]:
    chapters = [(path.parent, _read(path)) for path in folder.glob("*/chapter.toml")]
    pages = {}
    for chapter_folder, chapter in sorted(chapters, key=lambda item: int(item[1]["chapter"].partition(",")[0])):
        for group in chapter["groups"]:
            tables = _read(chapter_folder / f"{group}.toml")
            title = tables.pop("title")
            pages |= {name: _Page(chapter["chapter"], title, keys) for name, keys in tables.items()}
    return pages


def _text_of(name: str, pages: dict[str, _Page]) -> dict:
    """The keys of a page, with those of the page that it is like, in which words are replaced."""
    keys = dict(pages[name].keys)
    if "like" not in keys:
        return keys
    words, like = keys.pop("replace", {}), keys.pop("like")
    text = _text_of(like, pages)
    inherited = _replaced(text, words) | {"example": text.get("example", like)}
    merged = {key: {**inherited.get(key, {}), **keys.get(key, {})} for key in ("parameters", "errors")}
    return {**inherited, **keys, **merged}


def _replaced(text, words: dict[str, str]):
    if isinstance(text, str):
        pattern = r"\b(" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + r")\b"
        return re.sub(pattern, lambda found: words[found[0]], text) if words else text
    if isinstance(text, list):
        return [_replaced(item, words) for item in text]
    return {_replaced(key, words): _replaced(value, words) for key, value in text.items()}


def _forms(interface: Interface) -> dict[str, list[Procedure]]:
    """A blocking collective -> its other forms, which share its body."""
    blocking = {p.body_name(): p.name for p in interface.procedures() if p.form == "blocking"}
    result: dict[str, list[Procedure]] = {}
    for procedure in interface.procedures():
        if procedure.is_for_later():
            result.setdefault(blocking[procedure.body_name()], []).append(procedure)
    return result


def _is_form(procedure: Procedure) -> bool:
    return procedure.is_for_later()


def _summary(form: Procedure, base: str, text: dict, texts: dict[str, dict], defaults: _Defaults) -> str:
    if form.name == base or "summary" in texts.get(form.name, {}):
        return text["summary"]
    return defaults.forms[form.form]["summary"].format(base=base, summary=text["summary"])


def paragraphs(text: str) -> tuple[str, ...]:
    return tuple(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n") if paragraph.strip())


def _meaning(parameter: Parameter, text: dict, defaults: _Defaults) -> str:
    of_procedure = text.get("parameters", {}).get(parameter.name)
    by_name = defaults.names.get(f"{parameter.name}/{parameter.direction}") or defaults.names.get(parameter.name)
    meaning = of_procedure or by_name or defaults.kinds["meaning"][parameter.kind.name]
    if parameter.array_suffix() and parameter.length not in ("", "*"):
        meaning += f" ({parameter.length} elements)"
    return meaning + ("; significant only at the root process" if parameter.root_only else "")


def _errors(form: Procedure, text: dict, defaults: _Defaults) -> dict[str, str]:
    """What the page itself says of a class replaces what the kinds of the parameters say; an empty text removes the class."""
    if not form.error_code:
        return {}
    causes: dict[str, list[str]] = {}
    for parameter in form.parameters:
        key = "root" if parameter.name == "root" else parameter.kind.name
        error = defaults.kinds["error"].get(key)
        is_looked_at = parameter.direction != "out" or parameter.kind.name == "BUFFER"  # at the address of a result
        if error and is_looked_at:
            causes.setdefault(error["class"], []).append(error["cause"].format(name=parameter.name))
    if form.begins_something():
        error = defaults.kinds["out_of_memory"]
        causes[error["class"]] = [error["cause"], *([error["blocking_collective"]] if form.form == "blocking" else [])]
    by_kinds = {error: " ".join(dict.fromkeys(sentences)) for error, sentences in causes.items()}
    return {error: cause for error, cause in (by_kinds | text.get("errors", {})).items() if cause}


def _see_also(name: str, base: str, group: list[str], text: dict, forms: dict[str, list[Procedure]],
              procedures: dict[str, Procedure]) -> tuple[str, ...]:
    of_base = [base, *(form.name for form in forms.get(base, []))]
    others = dict.fromkeys([*of_base, *text.get("see_also", group)])
    return tuple(other for other in others if other != name and not procedures[other].missing)


def _example(folder: Path, name: str, base: str, text: dict) -> str:
    """The program named like the procedure, or the one that its page names, or that of the form it is another form of."""
    for program in (name, text.get("example", ""), base):
        path = folder / f"{program}.c"
        if program and path.exists():
            return path.read_text()
    return ""
