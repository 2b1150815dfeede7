#!/usr/bin/env python3
"""The programs of docs/cxx.md: they compile without a warning, and run. `examples_test.py MPICXX MPIEXEC DOCUMENT`."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

MPICXX, MPIEXEC, DOCUMENT = sys.argv[1:4]
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-variable"]
RANKS = (1, 2, 3, 5, 7, 8, 16)


def programs() -> list[str]:
    blocks = re.findall(r"^```cpp\n(.*?)^```$", pathlib.Path(DOCUMENT).read_text(), re.MULTILINE | re.DOTALL)
    return [block for block in blocks if "int main(" in block]


class Examples(unittest.TestCase):
    def test_the_programs_of_the_document_compile_and_run(self):
        self.assertGreater(len(programs()), 1)
        with tempfile.TemporaryDirectory() as folder:
            for number, program in enumerate(programs()):
                name = f"{folder}/{number}"
                pathlib.Path(name + ".cpp").write_text(program)
                compiler = subprocess.run([MPICXX, *FLAGS, name + ".cpp", "-o", name], capture_output=True, text=True)
                self.assertEqual(compiler.returncode, 0, program + compiler.stderr)
                for ranks in RANKS:
                    with self.subTest(program=program, ranks=ranks):
                        job = subprocess.run([MPIEXEC, "-n", str(ranks), name], capture_output=True, text=True, timeout=60)
                        self.assertEqual(job.returncode, 0, job.stdout + job.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
