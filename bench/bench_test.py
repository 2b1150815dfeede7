"""Checks that benchmarks perform the operations that they measure, and print the format that side_by_side parses. Times are not
checked.

bench_test.py --mpiexec PROGRAM --programs FOLDER
"""
import pathlib
import re
import subprocess
import sys
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
import options  # noqa: E402

OPTIONS = options.parse(__doc__, mpiexec=str, programs=pathlib.Path)
US, RATE, NS = r"\d+\.\d{3} us", r"\d+\.\d{3} GB/s", r"[1-9]\d*ns"


class Benchmarks(unittest.TestCase):
    def expect_lines(self, ranks, words, *lines):
        """Runs `words` on `ranks` ranks; the output must be lines that match `lines`, and nothing else."""
        done = subprocess.run([OPTIONS.mpiexec, "-n", str(ranks), OPTIONS.programs / words[0], *words[1:]],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        printed = done.stdout.splitlines()
        self.assertEqual(len(printed), len(lines), done.stdout)
        for got, wanted in zip(printed, lines):
            self.assertRegex(got, f"^{wanted}$")

    def test_messages_of_each_shape_bring_their_bytes_and_leave_gaps(self):
        for shape in "column", "face", "side", "struct", "rows", "whole":
            for memory in [], ["alloc"]:
                with self.subTest(shape, memory=memory):
                    self.expect_lines(2, ["noncontiguous", shape, "40000", "0", *memory], rf"{shape} \d+ {US} {RATE}")

    def test_windows_hold_what_was_put(self):
        for case in "ring", "lock":
            with self.subTest(case):
                self.expect_lines(5, ["windows", case, "40", "0"], f"{case} 40 {US}")

    def test_costs_are_named_as_the_settings_are(self):
        names = "cost_latency", "cost_gap", "cost_transfer_1m", "cost_copy_1m", "cost_combine_1m"
        self.assertLess(set(names), set(tomllib.loads((ROOT / "spec" / "cvars.toml").read_text())))
        self.expect_lines(2, ["costs", "0", "1"], *(f"{name}={NS}" for name in names))

    def test_each_guideline_is_a_line_for_each_length(self):
        done = subprocess.run([OPTIONS.mpiexec, "-n", "4", OPTIONS.programs / "guidelines", "0", "1", "1024"],
                              capture_output=True, text=True, check=True)
        *lines, last = done.stdout.splitlines()
        holding, all_of_them = map(int, re.fullmatch(r"(\d+) of (\d+) hold, with 4 ranks", last).groups())
        self.assertEqual(all_of_them, len(lines))
        self.assertEqual(holding, sum("does not hold" not in line for line in lines))
        for line in lines:
            self.assertRegex(line, r" (64|1024) bytes +\d+\.\d\d us +\d+\.\d\d us +\d+\.\d\d")


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
