"""Finds which bodies exist: the definitions at column 0 of src/api/*.cpp that bear the name of a procedure's body; and
which procedures have a fast path besides: try_<body> in src/api/fast.hpp; which have one beside the lane: try_<body> in
src/api/beside.hpp; and which bodies take the lane themselves: those in src/api/beside.cpp."""

from __future__ import annotations

import re
from pathlib import Path

_DEFINITION = re.compile(r"^(?!static\b|inline\b)[A-Za-z_][\w:<>*& ]*?[ *&](?P<name>[a-z]\w*)\(", re.MULTILINE)


def bodies_in(text: str, names: set[str]) -> set[str]:
    """The members of `names` that `text` defines; a declaration does not count."""
    return {
        match["name"]
        for match in _DEFINITION.finditer(text)
        if match["name"] in names and _is_definition(text, match.end())
    }


def bodies_under(folder: Path, names: set[str]) -> set[str]:
    found: set[str] = set()
    for path in sorted(folder.glob("*.cpp")):
        found |= bodies_in(path.read_text(), names)
    return found


def bodies_beside_under(folder: Path, names: set[str]) -> set[str]:
    path = folder / "beside.cpp"
    return bodies_in(path.read_text(), names) if path.exists() else set()


def fast_paths_in(text: str, names: set[str]) -> set[str]:
    return {name for name in re.findall(r"^inline bool try_(\w+)\(", text, re.MULTILINE) if name in names}


def paths_beside_in(text: str, names: set[str]) -> set[str]:
    return {name for name in re.findall(r"^bool try_(\w+)\(", text, re.MULTILINE) if name in names}


def fast_paths_under(folder: Path, names: set[str]) -> set[str]:
    path = folder / "fast.hpp"
    return fast_paths_in(path.read_text(), names) if path.exists() else set()


def paths_beside_under(folder: Path, names: set[str]) -> set[str]:
    path = folder / "beside.hpp"
    return paths_beside_in(path.read_text(), names) if path.exists() else set()


def _is_definition(text: str, after_open_parenthesis: int) -> bool:
    depth, position = 1, after_open_parenthesis
    while depth and position < len(text):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
    return re.match(r"\s*(noexcept\s*)?\{", text[position:]) is not None
