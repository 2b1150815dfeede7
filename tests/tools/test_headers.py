"""Each header of the library and of the launcher compiles alone, and without precompiled headers: it includes what it uses.

test_headers.py --build FOLDER --compiler PROGRAM
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import options  # noqa: E402

OPTIONS = options.parse(__doc__, build=pathlib.Path, compiler=str)
GENERATED = OPTIONS.build / "generated"
FOLDERS = (ROOT / "src", ROOT / "launch", GENERATED, GENERATED / "include")
WORDS = ["-std=c++20", "-fsyntax-only", "-x", "c++", *(f"-I{folder}" for folder in FOLDERS)]


def errors(header: pathlib.Path) -> str:
    done = subprocess.run([OPTIONS.compiler, *WORDS, "-include", header, "/dev/null"], capture_output=True, text=True)
    return done.stderr if done.returncode else ""


class Headers(unittest.TestCase):
    def test_compile_alone(self):
        headers = sorted(header for folder in FOLDERS[:2] for header in folder.rglob("*.hpp"))
        self.assertGreater(len(headers), 100)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for header, said in zip(headers, pool.map(errors, headers)):
                with self.subTest(str(header.relative_to(ROOT))):
                    self.assertEqual(said, "")


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
