#!/usr/bin/env python3
"""MPI-2.2's C++ through mpicxx, for each compiler and standard; and that nobody meets it who has not asked for it.

wrapper_test.py --prefix FOLDER [--preload LIBRARY] [unittest arguments]
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "gen"), str(ROOT / "tests")]

import options  # noqa: E402

OPTIONS = options.parse(__doc__, prefix=pathlib.Path, preload="")
STRICT = ["-O0", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wshadow"]

PROGRAM = """{include}
#include <cstdio>
namespace other {{ void use_in_another_file(); }}
int main() {{
  MPI::Init();
  MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  try {{
    MPI::COMM_WORLD.Send(NULL, 0, MPI::INT, 99, 0);
  }} catch (const MPI::Exception& exception) {{
    std::printf("%d caught %d\\n", MPI::COMM_WORLD.Get_rank(), exception.Get_error_class() == MPI::ERR_RANK);
  }}
  other::use_in_another_file();
  MPI::Finalize();
}}
"""
SECOND = """#include <mpicxx.h>
namespace other { void use_in_another_file() { MPI::COMM_WORLD.Barrier(); } }
"""
TOOL = """#include <mpi.h>
#include <cstdio>
extern "C" int MPI_Barrier(MPI_Comm comm) {
  std::puts("a tool saw MPI_Barrier");
  return PMPI_Barrier(comm);
}
"""
WITHOUT = """#include <mpi.h>
namespace MPI { struct Comm {}; }
int main() { return sizeof(MPI::Comm) == 0; }
"""


def run(*words, ok=True):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=240)
    if ok and done.returncode != 0:
        raise AssertionError(f"{words} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


class Wrapper(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="antiphon mpicxx ")
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        self.mpicxx = OPTIONS.prefix / "bin" / "mpicxx"

    def write(self, name, text):
        (self.work / name).write_text(text)
        return self.work / name

    def printed_by(self, *words):
        """What the program that is compiled so prints on two ranks."""
        preload = ["-x", f"LD_PRELOAD={OPTIONS.preload}"] if OPTIONS.preload else []
        run(self.mpicxx, *STRICT, "-std=c++11", *words, "-o", self.work / "program")
        return sorted(run(OPTIONS.prefix / "bin" / "mpiexec", *preload, "-n", 2, self.work / "program").stdout.splitlines())

    def test_both_ways_to_ask_for_it_work_in_a_program_of_two_files(self):
        second = self.write("second.cpp", SECOND)
        for include, flags in (("#include <mpicxx.h>", []), ("#include <mpi.h>", ["-DANTIPHON_MPI_CXX"])):
            first = self.write("first.cpp", PROGRAM.format(include=include))
            self.assertEqual(self.printed_by(*flags, first, second), ["0 caught 1", "1 caught 1"])

    def test_a_tool_that_intercepts_c_sees_the_calls(self):
        first = self.write("first.cpp", PROGRAM.format(include="#include <mpicxx.h>"))
        printed = self.printed_by(first, self.write("second.cpp", SECOND), self.write("tool.cpp", TOOL))
        self.assertEqual(printed.count("a tool saw MPI_Barrier"), 2)

    def test_every_compiler_and_standard_takes_it_without_a_warning(self):
        program = self.write("program.cpp", PROGRAM.format(include="#include <mpicxx.h>"))
        for compiler in filter(shutil.which, ("g++", "clang++")):
            for standard in ("c++11", "c++14", "gnu++17", "c++20", "c++2b"):
                with self.subTest(f"{compiler} {standard}"):
                    run(self.mpicxx, "-cxx=" + compiler, f"-std={standard}", *STRICT, "-fsyntax-only", program)

    def test_what_the_library_does_not_have_yet_compiles_too(self):
        import cxx_binding
        import emit_mpicxx
        import model

        interface = model.load(ROOT / "spec")
        include = self.work / "include"
        shutil.copytree(ROOT / "bindings" / "mpicxx", include)
        classes = include / "antiphon" / "mpicxx" / "classes.h"
        classes.write_text(emit_mpicxx.emit(interface, cxx_binding.load(ROOT / "spec", interface)))
        shutil.copy(OPTIONS.prefix / "include" / "mpi.h", include)
        program = self.write("all.cpp", "#include <mpicxx.h>\n#include <cstdio>\n"
                             "int main() { return MPI::SEEK_SET == MPI::SEEK_CUR || SEEK_SET != 0 || "
                             "sizeof(MPI::File) != sizeof(MPI_File); }\n")
        run("c++", "-std=c++11", *STRICT, "-I", include, "-fsyntax-only", program)

    def test_who_does_not_ask_has_the_name_to_himself(self):
        run(self.mpicxx, *STRICT, "-c", self.write("without.cpp", WITHOUT), "-o", self.work / "without.o")

    def test_an_older_standard_is_told_what_to_do(self):
        program = self.write("old.cpp", "#include <mpicxx.h>\n")
        refused = run(self.mpicxx, "-std=c++98", "-fsyntax-only", program, ok=False)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("-std=c++11", refused.stderr)


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
