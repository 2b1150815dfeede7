"""Counters as data: spec/pvars.toml, checked. What the keys mean is said there."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

UNITS = ("things", "bytes")
LEVELS = ("user", "tuner", "developer")


@dataclass(frozen=True)
class Counter:
    name: str
    unit: str
    level: str
    always: bool
    what: str


def load(spec: Path) -> tuple[Counter, ...]:
    counters = tuple(Counter(name, **keys) for name, keys in tomllib.loads((spec / "pvars.toml").read_text()).items())
    for counter in counters:
        if counter.unit not in UNITS or counter.level not in LEVELS:
            raise ValueError(f"pvars.toml: {counter.name}: unit is one of {UNITS}, level one of {LEVELS}")
    return counters
