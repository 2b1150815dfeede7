"""Settings as data: spec/cvars.toml and spec/variables.toml, checked. What the keys mean is said there."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

_BYTES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_TIME = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}
TYPES = ("count", "bytes", "time", "choice")
SCOPES = ("job", "process", "launcher")
LEVELS = ("user", "tuner", "developer")


@dataclass(frozen=True)
class Setting:
    """All values are integers: a number, bytes, nanoseconds, or the position of a choice."""

    name: str
    type: str
    default: int
    least: int
    most: int
    auto: str  # what `auto`, which is 0, means; empty where it is not valid
    choices: tuple[str, ...]
    where: str
    scope: str
    level: str
    what: str


@dataclass(frozen=True)
class Settings:
    all: tuple[Setting, ...]
    others: tuple[str, ...]  # variables ANTIPHON_... that are none


def load(spec: Path) -> Settings:
    table = tomllib.loads((spec / "cvars.toml").read_text())
    others = tomllib.loads((spec / "variables.toml").read_text())
    return Settings(
        all=tuple(_setting(name, keys) for name, keys in table.items()),
        others=tuple(sorted(name for names in others.values() for name in names)),
    )


def _setting(name: str, keys: dict) -> Setting:
    def refuse(what: str) -> None:
        raise ValueError(f"cvars.toml: {name}: {what}")

    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        refuse("a name is words in small letters with underscores between them")
    wanted = {"type", "default", "where", "scope", "level", "what", "choices" if keys.get("type") == "choice" else "range"}
    if set(keys) - ({"auto"} if "range" in wanted else set()) != wanted:
        refuse(f"has the keys {', '.join(sorted(keys))} and needs {', '.join(sorted(wanted))}")
    for key, valid in (("type", TYPES), ("scope", SCOPES), ("level", LEVELS)):
        if keys[key] not in valid:
            refuse(f"{key} = '{keys[key]}' is none of {', '.join(valid)}")
    choices = tuple(keys.get("choices", ()))
    if choices:
        if keys["default"] not in choices:
            refuse(f"default = '{keys['default']}' is none of its choices")
        default, least, most = choices.index(keys["default"]), 0, len(choices) - 1
    else:
        least, most = (number(keys["type"], text) for text in keys["range"])
        if "auto" in keys and least <= 0:
            refuse("0 means auto, so it cannot be in the range")
        default = 0 if "auto" in keys and keys["default"] == "auto" else number(keys["type"], keys["default"])
        if not least <= default <= most and not ("auto" in keys and default == 0):
            refuse("its default is outside of its range")
    return Setting(name, keys["type"], default, least, most, keys.get("auto", ""), choices, keys["where"], keys["scope"], keys["level"], keys["what"])


def number(type: str, text: str | int) -> int:
    """64K, 200us or 7 as a number of bytes, nanoseconds or things."""
    match = re.fullmatch(r"(\d+)([A-Za-z]*)", str(text))
    units = {"bytes": _BYTES, "time": _TIME | {"": None}, "count": {"": 1}}[type]
    if not match or match[2] not in units:
        raise ValueError(f"cvars.toml: '{text}' is no {type}")
    if type == "time" and match[2] == "":
        if match[1] != "0":
            raise ValueError(f"cvars.toml: '{text}' is a time without a unit")
        return 0
    return int(match[1]) * units[match[2]]
