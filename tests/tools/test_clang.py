"""What clang says, where the build is by another compiler: of the public headers in each language that may include them,
and of one source of each layer, the longest. Without clang++ there is nothing to say.

test_clang.py --build FOLDER --clang PROGRAM
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

OPTIONS = options.parse(__doc__, build=pathlib.Path, clang="")
SKIPPED = 77
GENERATED = OPTIONS.build / "generated"
HEADERS = {
    "mpi.h in C": ["-x", "c", "-std=c99", "-pedantic-errors", "-include", "mpi.h"],
    "mpi.h in C++": ["-x", "c++", "-std=c++11", "-pedantic-errors", "-include", "mpi.h"],
    "MPI-2.2's C++": ["-x", "c++", "-std=c++11", "-DANTIPHON_MPI_CXX", "-include", "mpi.h"],
    "antiphon/mpi.hpp": ["-x", "c++", "-std=c++20", "-include", "antiphon/mpi.hpp"],
}
LAYERS = [folder for folder in (ROOT / "src").iterdir() if folder.is_dir()] + [ROOT / "launch" / "mpiexec"]
INCLUDE = [f"-I{folder}" for folder in (GENERATED / "include", GENERATED, ROOT / "src", ROOT / "launch")]


def longest_source(layer: pathlib.Path) -> pathlib.Path:
    return max(layer.rglob("*.cpp"), key=lambda path: path.stat().st_size)


def errors(words: list[str]) -> str:
    done = subprocess.run([OPTIONS.clang, "-fsyntax-only", *INCLUDE, *words], input="", capture_output=True, text=True)
    return done.stderr if done.returncode else ""


class Clang(unittest.TestCase):
    def test_finds_no_error(self):
        sources = {str(path.relative_to(ROOT)): ["-std=c++20", '-DANTIPHON_VERSION=""', str(path)]
                   for path in map(longest_source, LAYERS)}
        asked = {name: [*words, "-"] for name, words in HEADERS.items()} | sources
        with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            for name, said in zip(asked, pool.map(errors, asked.values())):
                with self.subTest(name):
                    self.assertEqual(said, "")


if __name__ == "__main__":
    if not OPTIONS.clang:
        print("skipped: there is no clang++ here")
        sys.exit(SKIPPED)
    unittest.main(argv=OPTIONS.for_unittest)
