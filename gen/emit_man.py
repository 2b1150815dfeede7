"""man/man3: a manual page for each procedure that exists, in roff, and a link for each of its other names."""

from __future__ import annotations

import re

from cxx_binding import Binding
from manual import Entry
from manual_page import Code, Items, References, Section, Text, names, sections
from model import Interface


def emit(interface: Interface, binding: Binding, entries: dict[str, Entry]) -> dict[str, str]:
    """File name -> content."""
    pages = {}
    for entry in entries.values():
        if entry.procedure.missing:
            continue
        first, *others = names(entry)
        pages[f"{first}.3"] = _page(interface, binding, entry)
        pages |= {f"{other}.3": f".so man3/{first}.3\n" for other in others}
    return pages


def _page(interface: Interface, binding: Binding, entry: Entry) -> str:
    name = entry.procedure.name
    lines = [
        '.\\" Generated from spec/ by gen/generate.py; change those.',
        f'.TH {name} 3 "" Antiphon "MPI procedures"',
        ".SH NAME",
        f"{', '.join(names(entry)[: len(entry.procedure.variants())])} \\- {_escaped(entry.summary)}",
    ]
    for section in sections(interface, binding, entry):
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
            lines += [f".BR {name} (3){',' if name != block.names[-1] else ''}" for name in block.names]
            lines.append(".hy")
        elif isinstance(block, Text):
            lines += [".PP", _escaped(block.text)]
    return lines


def _escaped(text: str) -> str:
    """Text that roff takes for no request and no typography."""
    escaped = re.sub(r"[-'`^~\\]", lambda found: _SPECIAL[found[0]], text)
    return "\\&" + escaped if escaped.startswith((".", "\\(aq")) else escaped


_SPECIAL = {"-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", "\\": "\\e"}
