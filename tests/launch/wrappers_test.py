#!/usr/bin/env python3
"""The compiler wrappers, mpi.pc and the installation, as users and build systems meet them.

wrappers_test.py --build FOLDER --cmake PROGRAM [--preload LIBRARY] [unittest arguments]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import options  # noqa: E402

OPTIONS = options.parse(__doc__, build=pathlib.Path, cmake="cmake", preload="")
PROGRAM = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  printf("%d of %d\\n", rank, size);
  MPI_Finalize();
  return 0;
}
"""

PROJECT = """cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES C CXX)
find_package(MPI 3.0 REQUIRED COMPONENTS C CXX)
foreach(language C CXX)
  message(STATUS "${language} found ${MPI_${language}_LIBRARIES} ${MPI_${language}_VERSION}")
endforeach()
add_executable(in_c main.c)
target_link_libraries(in_c MPI::MPI_C)
add_executable(in_cxx main.cpp)
target_link_libraries(in_cxx MPI::MPI_CXX)
"""


def run(*words, ok=True, **options):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=240, **options)
    if ok and done.returncode != 0:
        raise AssertionError(f"{words} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


class WrapperTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="antiphon wrappers ")  # a blank on purpose
        cls.work = pathlib.Path(cls.folder.name)
        for name in ("main.c", "main.cpp"):
            (cls.work / name).write_text(PROGRAM)
        cls.bin = OPTIONS.build / "bin"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def wrapper(self, *words, name="mpicc", ok=True, **environment):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("ANTIPHON_")}
        return run(self.bin / name, *words, ok=ok, cwd=self.work, env={**clean, **environment})

    def expect_ranks(self, mpiexec, program):
        preload = ["-x", f"LD_PRELOAD={OPTIONS.preload}"] if OPTIONS.preload else []
        out = run(mpiexec, *preload, "-n", 2, program)
        self.assertEqual(sorted(out.stdout.splitlines()), ["0 of 2", "1 of 2"])


class Questions(WrapperTest):
    def test_show_prints_the_command_and_runs_nothing(self):
        for name in ("mpicc", "mpicxx", "mpic++", "mpiCC"):
            for option in ("-show", "-showme", "--showme"):
                shown = self.wrapper(option, "main.c", "-o", "x", name=name).stdout
                self.assertRegex(shown, r"^\S+ -I\S+/include main\.c -o x -L\S+/lib -Wl,-rpath,\S+ .*-lmpi_abi\n$")
        self.assertFalse((self.work / "x").exists())

    def test_what_does_not_link_gets_no_linker_flags(self):
        for words in (["-c", "main.c"], ["-E", "main.c"], ["main.c", "-S"], ["-M", "main.c"]):
            self.assertNotIn("mpi_abi", self.wrapper("-show", *words).stdout)

    def test_showme_answers_each_question(self):
        ask = lambda what: self.wrapper(f"--showme:{what}").stdout.strip()
        self.assertRegex(ask("compile"), r"^-I\S+$")
        self.assertRegex(ask("link"), r"^-L\S+ -Wl,-rpath,\S+ .*-lmpi_abi$")
        self.assertTrue((pathlib.Path(ask("incdirs")) / "mpi.h").exists())
        self.assertTrue((pathlib.Path(ask("libdirs")) / "libmpi_abi.so").exists())
        self.assertEqual(ask("libs"), "mpi_abi")
        self.assertRegex(ask("version"), r"Antiphon \d")
        self.assertIsNotNone(shutil.which(ask("command")))
        self.assertRegex(self.wrapper("-compile_info").stdout, r"^\S+ -I\S+\n$")
        self.assertRegex(self.wrapper("-link_info").stdout, r"^\S+ -L.*-lmpi_abi\n$")

    def test_an_unknown_question_is_an_error_that_lists_the_known(self):
        wrong = self.wrapper("--showme:everything", ok=False)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("valid: compile, link", wrong.stderr)

    def test_questions_to_the_compiler_reach_it_unchanged(self):
        compiler = self.wrapper("--showme:command").stdout.strip()
        for words in (["--version"], ["-dumpmachine"], ["-print-search-dirs"]):
            self.assertEqual(self.wrapper(*words).stdout, run(compiler, *words).stdout)

    def test_another_compiler_can_be_chosen(self):
        self.assertTrue(self.wrapper("-cc=other", "-show").stdout.startswith("other "))
        self.assertTrue(self.wrapper("-cxx=other", "-show", name="mpicxx").stdout.startswith("other "))
        self.assertTrue(self.wrapper("-show", ANTIPHON_CC="other").stdout.startswith("other "))
        self.assertTrue(self.wrapper("-show", name="mpicxx", ANTIPHON_CXX="other").stdout.startswith("other "))


class Programs(WrapperTest):
    def test_build_and_run_from_the_build_folder(self):
        for name, source in (("mpicc", "main.c"), ("mpicxx", "main.cpp")):
            self.wrapper(source, "-o", "program", name=name)
            self.expect_ranks(self.bin / "mpiexec", self.work / "program")

    def test_of_every_standard_run_as_a_debugger_wants_them(self):
        languages = {"mpicc": ("main.c", "-cc=", ("gcc", "clang"), ("c89", "gnu89", "c99", "c11", "c17", "c2x")),
                     "mpicxx": ("main.cpp", "-cxx=", ("g++", "clang++"),
                                ("c++98", "c++11", "c++14", "c++17", "c++20", "c++2b"))}
        strict = ["-O0", "-g", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wno-long-long"]
        for name, (source, option, compilers, standards) in languages.items():
            for compiler in filter(shutil.which, compilers):
                for standard in standards:
                    with self.subTest(f"{compiler} {standard}"):
                        self.wrapper(option + compiler, f"-std={standard}", *strict, source, "-o", "debug", name=name)
                        self.expect_ranks(self.bin / "mpiexec", self.work / "debug")

    def test_compile_and_link_in_two_steps(self):
        self.wrapper("-Wall", "-Werror", "-pedantic", "-c", "main.c", "-DTEXT=two words", "-o", "main.o")
        self.wrapper("main.o", "-o", "two-steps")
        self.expect_ranks(self.bin / "mpiexec", self.work / "two-steps")

    def test_arguments_arrive_as_they_were_written(self):
        (self.work / "text.c").write_text('#include <stdio.h>\nint main(void) { puts(TEXT); return 0; }\n')
        self.wrapper('-DTEXT="a $b *\'c\'"', "text.c", "-o", "text")
        self.assertEqual(run(self.work / "text").stdout, "a $b *'c'\n")

    def test_failures_of_the_compiler_are_the_wrappers(self):
        self.assertNotEqual(self.wrapper("-c", "no-such-file.c", ok=False).returncode, 0)

    def test_pkg_config_knows_mpi(self):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(OPTIONS.build / "lib" / "pkgconfig")}
        flags = run("pkg-config", "--cflags", "--libs", "mpi", env=environment).stdout.split()
        run("cc", "main.c", "-o", "with-pkg-config", *flags, cwd=self.work)
        self.expect_ranks(self.bin / "mpiexec", self.work / "with-pkg-config")


class CMakeProjects(WrapperTest):
    def check_project(self, folder, *options):
        build = self.work / folder
        (self.work / "CMakeLists.txt").write_text(PROJECT)
        configured = run(OPTIONS.cmake, "-S", self.work, "-B", build, *options).stdout
        for language in ("C", "CXX"):
            self.assertRegex(configured, rf"{language} found .*libmpi_abi\.so.* \d\.\d")
        run(OPTIONS.cmake, "--build", build)
        for program in ("in_c", "in_cxx"):
            self.expect_ranks(self.bin / "mpiexec", build / program)

    def test_find_mpi_by_its_home(self):
        self.check_project("by-home", f"-DMPI_HOME={OPTIONS.build}")

    def test_find_mpi_by_its_compilers(self):
        self.check_project("by-compiler", f"-DMPI_C_COMPILER={self.bin}/mpicc", f"-DMPI_CXX_COMPILER={self.bin}/mpicxx")


class Installation(WrapperTest):
    def test_works_where_it_was_installed_and_after_it_was_moved(self):
        first = self.work / "first place"
        run(OPTIONS.cmake, "--install", OPTIONS.build, "--prefix", first)
        moved = self.work / "moved"
        shutil.move(first, moved)
        leading_out = [path for path in moved.rglob("*") if not path.resolve().is_relative_to(moved.resolve())]
        self.assertFalse(leading_out, "an installation needs nothing of the tree that it was built in")
        link = self.work / "link-to-mpicc"
        link.symlink_to(moved / "bin" / "mpicc")
        for number, wrapper in enumerate((moved / "bin" / "mpicc", moved / "bin" / "mpicxx", link)):
            program = self.work / f"installed-{number}"
            run(wrapper, self.work / "main.c", "-o", program)
            self.expect_ranks(moved / "bin" / "mpiexec", program)
            self.expect_ranks(moved / "bin" / "mpirun", program)
        # A sanitizer opens libraries on behalf of the program, and so from where the sanitizer lies.
        environment = {**os.environ, "LD_LIBRARY_PATH": str(moved / "lib")} if OPTIONS.preload else None
        described = json.loads(run(moved / "bin" / "antiphon-info", "--json", env=environment).stdout)
        self.assertTrue(described["library"].startswith(str(moved.resolve())), described["library"])
        rpath = re.search(r"RUNPATH.*\[(.*)\]", run("readelf", "-d", self.work / "installed-0").stdout)
        self.assertTrue(rpath.group(1).startswith(str(moved)), rpath.group(1))


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
