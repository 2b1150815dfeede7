"""html: the manual pages as plain HTML, a file each, and an index by chapters of the standard."""

from __future__ import annotations

from html import escape

from cxx_binding import Binding
from manual import Entry
from manual_page import Code, Items, References, Section, Text, sections
from model import Interface


def emit(interface: Interface, binding: Binding, entries: dict[str, Entry]) -> dict[str, str]:
    """File name -> content."""
    existing = {name: entry for name, entry in entries.items() if not entry.procedure.missing}
    pages = {f"{name}.html": _page(interface, binding, entry, existing) for name, entry in existing.items()}
    return {"index.html": _index(existing), **pages}


def _document(title: str, body: list[str]) -> str:
    head = f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title></head>'
    return "\n".join([head, "<body>", *body, "</body></html>"]) + "\n"


def _index(entries: dict[str, Entry]) -> str:
    body, place = ["<h1>MPI procedures</h1>"], ("", "")
    for name, entry in entries.items():
        if (entry.chapter, entry.group) != place:
            body += [f"<h2>{escape(entry.chapter)}</h2>"] if entry.chapter != place[0] else []
            body.append(f"<h3>{escape(entry.group)}</h3>")
            place = (entry.chapter, entry.group)
        body.append(f"<p>{_link(name)} {escape(entry.summary)}</p>")
    return _document("MPI procedures", body)


def _page(interface: Interface, binding: Binding, entry: Entry, existing: dict[str, Entry]) -> str:
    name = entry.procedure.name
    body = ['<p><a href="index.html">All procedures</a></p>', f"<h1>{name}</h1>", f"<p>{escape(entry.summary)}</p>"]
    for section in sections(interface, binding, entry):
        body += _section(section, existing)
    return _document(f"{name}: {entry.summary}", body)


def _section(section: Section, existing: dict[str, Entry]) -> list[str]:
    lines = [f"<h2>{section.title}</h2>"]
    for block in section.blocks:
        if isinstance(block, Code):
            lines += [f"<h3>{escape(block.title)}</h3>"] if block.title else []
            lines.append(f"<pre>{escape(block.text)}</pre>")
        elif isinstance(block, Items):
            lines.append("<dl>")
            lines += [f"<dt><b>{escape(term)}</b></dt><dd>{escape(meaning)}</dd>" for term, meaning in block.items]
            lines.append("</dl>")
        elif isinstance(block, References):
            lines.append("<p>" + ", ".join(_link(name) if name in existing else name for name in block.names) + "</p>")
        elif isinstance(block, Text):
            lines.append(f"<p>{escape(block.text)}</p>")
    return lines


def _link(name: str) -> str:
    return f'<a href="{name}.html">{name}</a>'
