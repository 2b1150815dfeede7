"""Wrapped signatures, and files that are left alone when they do not change."""

from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path

from support import run

from text import COLUMNS, wrapped_call, write_if_changed


class TextTest(unittest.TestCase):
    def test_a_short_call_stays_on_one_line(self) -> None:
        self.assertEqual(wrapped_call("int f", ["int a", "int b"], ";"), "int f(int a, int b);")
        self.assertEqual(wrapped_call("f", [], ";", indent=2), "  f();")

    def test_a_long_call_is_broken_between_arguments_only(self) -> None:
        arguments = [f"MPI_Datatype argument_{number}" for number in range(20)]
        lines = wrapped_call("int function", arguments, ";").split("\n")
        self.assertGreater(len(lines), 3)
        self.assertLessEqual(max(map(len, lines)), COLUMNS)
        self.assertEqual(" ".join(line.strip() for line in lines), f"int function({', '.join(arguments)});")

    def test_an_equal_file_keeps_its_time_and_another_is_replaced(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "below" / "file"
            self.assertTrue(write_if_changed(path, "one"))
            os.utime(path, (1, 1))
            self.assertFalse(write_if_changed(path, "one"))
            self.assertEqual(path.stat().st_mtime, 1)
            self.assertTrue(write_if_changed(path, "two"))
            self.assertEqual(path.read_text(), "two")


if __name__ == "__main__":
    run()
