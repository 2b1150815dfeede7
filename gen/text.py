"""Text that several emitters need: wrapped signatures and files that are only touched when they change."""

from __future__ import annotations

from pathlib import Path

COLUMNS = 118
NOTICE = "Generated from spec/ by gen/generate.py; change those."


def wrapped_call(head: str, arguments: list[str], tail: str, indent: int = 0, columns: int = COLUMNS) -> str:
    """`head(arguments)tail`, broken between arguments so that no line exceeds `columns`."""
    one_line = " " * indent + f"{head}({', '.join(arguments)}){tail}"
    if len(one_line) <= columns:
        return one_line
    lines, line = [], " " * indent + head + "("
    for position, argument in enumerate(arguments):
        piece = argument + (")" + tail if position + 1 == len(arguments) else ",")
        separator = "" if line.endswith("(") or not line.strip() else " "
        if len(line) + len(separator) + len(piece) > columns and line.strip():
            lines.append(line)
            line, separator = " " * (indent + 4), ""
        line += separator + piece
    return "\n".join(lines + [line])


def write_if_changed(path: Path, content: str) -> bool:
    """Leaves a file with the same content alone, so that nothing that includes it is rebuilt."""
    if path.exists() and path.read_text() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return True
