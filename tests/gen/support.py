"""What the tests of gen/ share: where things are, how generated text is compiled, how a skip reaches ctest."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SPEC = ROOT / "spec"
SHARED = Path(os.environ.get("ANTIPHON_SHARED", ROOT.parent / "shared"))
SKIPPED = 77

sys.path.insert(0, str(ROOT / "gen"))

import generate  # noqa: E402
import model  # noqa: E402
from text import write_if_changed  # noqa: E402


def compilers(*names: str) -> list[str]:
    """Those that this machine has; the last name is the fallback that every machine has."""
    return [name for name in names[:-1] if shutil.which(name)] or [names[-1]]


C_COMPILERS = compilers("gcc", "clang", "cc")
CXX_COMPILERS = compilers("g++", "clang++", "c++")
STRICT = ["-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]


class GeneratedTest(unittest.TestCase):
    """Holds everything that the generator makes of spec/ as if nothing were missing, without what src/api adds, and compiles text next to it."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.interface = model.load(SPEC)
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = Path(cls.folder.name)
        chapters = {chapter: tuple(replace(procedure, missing=False, short=False, without_lane=False) for procedure in procedures)
                    for chapter, procedures in cls.interface.chapters.items()}
        for name, content in generate.outputs(replace(cls.interface, chapters=chapters)).items():
            write_if_changed(cls.path / name, content)
        cls.includes = [f"-I{cls.path}", f"-I{cls.path / 'include'}", f"-I{HERE / 'mock'}", f"-I{ROOT / 'src'}"]

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def compile(self, compiler: str, suffix: str, text: str, flags: list[str]) -> None:
        """Fails with the compiler's complaints, if it has any."""
        source = self.path / f"test{suffix}"
        source.write_text(text)
        command = [compiler, *self.includes, *flags, str(source)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=200)
        self.assertEqual(result.returncode, 0, f"{' '.join(command)}\n{result.stderr[:4000]}")


def run() -> None:
    """Like unittest.main(), but exits with SKIPPED when nothing was left to run."""
    result = unittest.main(module="__main__", exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if result.testsRun and len(result.skipped) == result.testsRun else 0)
