"""The manual in roff: a page for each procedure that exists, in man3, and for each command and overview, in the folder of its
section; a link for each of their other names."""

from __future__ import annotations

import re

from cxx_binding import Binding
from manual import Entry, Page
from manual_page import Code, Items, References, Section, Text, names, page_sections, sections
from model import Interface


def emit(interface: Interface, binding: Binding, entries: dict[str, Entry], others: list[Page]) -> dict[str, str]:
    """File name below man/ -> content."""
    pages = {}
    for entry in entries.values():
        if entry.procedure.missing:
            continue
        shown = names(entry)[: len(entry.procedure.variants())]
        heading = f'.TH {entry.procedure.name} 3 "" Antiphon "MPI procedures"'
        text = _page(heading, shown, entry.summary, sections(interface, binding, entry))
        pages |= _with_links(3, names(entry), text)
    for page in others:
        heading = f'.TH {page.name} {page.section} "" Antiphon ""'
        shown = [page.name, *page.also]
        pages |= _with_links(page.section, shown, _page(heading, shown, page.summary, page_sections(page)))
    return pages


def _with_links(section: int, names: list[str], text: str) -> dict[str, str]:
    first, *others = names
    folder = f"man{section}"
    links = {f"{folder}/{other}.{section}": f".so {folder}/{first}.{section}\n" for other in others}
    return {f"{folder}/{first}.{section}": text, **links}


def _page(heading: str, shown: list[str], summary: str, parts: list[Section]) -> str:
    lines = [
        '.\\" Generated from spec/ by gen/generate_manual.py; change those.',
        heading,
        ".SH NAME",
        f"{', '.join(shown)} \\- {_escaped(summary)}",
    ]
    for section in parts:
        lines += _section(section)
    return "\n".join(lines) + "\n"


def _section(section: Section) -> list[str]:
    lines = [f".SH {section.title.upper()}"]
    for block in section.blocks:
        if isinstance(block, Code):
            lines += [f".SS {block.title}"] if block.title else []
            lines += [".nf", *map(_escaped, block.text.split("\n")), ".fi"]
        elif isinstance(block, Items):
            for term, meaning in block.items:
                lines += [".TP", f".B {_escaped(term)}", _escaped(meaning)]
        elif isinstance(block, References):
            lines.append(".nh")
            lines += [f".BR {_in_section(name)}{',' if name != block.names[-1] else ''}" for name in block.names]
            lines.append(".hy")
        elif isinstance(block, Text):
            lines += [".PP", _escaped(block.text)]
    return lines


def _in_section(name: str) -> str:
    """MPI_Send, or mpiexec(1), as the two words that .BR sets in bold and in roman."""
    plain, _, section = name.partition("(")
    return f"{plain} ({section or '3)'}"


def _escaped(text: str) -> str:
    """Text that roff takes for no request and no typography."""
    escaped = re.sub(r"[-'`^~\\]", lambda found: _SPECIAL[found[0]], text)
    return "\\&" + escaped if escaped.startswith((".", "\\(aq")) else escaped


_SPECIAL = {"-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", "\\": "\\e"}
