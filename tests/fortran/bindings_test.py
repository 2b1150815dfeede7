#!/usr/bin/env python3
"""The Fortran bindings as a whole: every procedure under every name, mistakes and what is said of them, the wrapper, and build
systems that look for MPI.

bindings_test.py --build FOLDER --cmake PROGRAM --compiler PROGRAM [--preload LIBRARY] [unittest arguments]
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "gen"), str(ROOT / "tests")]

import emit_fortran_modules  # noqa: E402
import fortran  # noqa: E402
import model  # noqa: E402
import options  # noqa: E402

OPTIONS = options.parse(__doc__, build=pathlib.Path, cmake="cmake", compiler="gfortran", preload="")


HELLO = """program hello
  {use}
  implicit none
  {include}
  integer :: rank, size, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  {body}
  print '(i0,a,i0)', rank, ' of ', size
  call MPI_Finalize(ierror)
end program
"""

PROJECT = """cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES C Fortran)
find_package(MPI 3.0 REQUIRED COMPONENTS Fortran)
message(STATUS "flavours ${MPI_Fortran_HAVE_F77_HEADER} ${MPI_Fortran_HAVE_F90_MODULE} ${MPI_Fortran_HAVE_F08_MODULE}")
add_executable(hello f08.f90)
target_link_libraries(hello MPI::MPI_Fortran)
"""


def hello(flavour, body=""):
    include = "include 'mpif.h'" if flavour == "mpif" else ""
    use = {"f08": "use mpi_f08", "mpi": "use mpi", "mpif": ""}[flavour]
    return HELLO.format(use=use, include=include, body=body)


class BindingsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="antiphon fortran ")  # a blank on purpose
        cls.work = pathlib.Path(cls.folder.name)
        cls.bin = OPTIONS.build / "bin"
        cls.interface = model.load(ROOT / "spec")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_words(self, *words, ok=True, **options):
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=240, cwd=self.work, **options)
        if ok and done.returncode != 0:
            raise AssertionError(f"{words} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done

    def compile(self, text, *words, name="program", ok=True, wrapper="mpifort"):
        (self.work / f"{name}.f90").write_text(text)
        return self.run_words(self.bin / wrapper, *words, f"{name}.f90", "-o", name, ok=ok)

    def launch(self, program, ranks=2, ok=True):
        preload = ["-x", f"LD_PRELOAD={OPTIONS.preload}"] if OPTIONS.preload else []
        return self.run_words(self.bin / "mpiexec", *preload, "-n", ranks, self.work / program, ok=ok)

    def expect_ranks(self, program):
        self.assertEqual(sorted(self.launch(program).stdout.splitlines()), ["0 of 2", "1 of 2"])


class EveryProcedure(BindingsTest):
    """Calls each procedure by each name in a subroutine that has the procedure's own arguments, and links them all."""

    def caller(self, number, call, names, declarations, result):
        statement = f"x = {call}" if result else f"call {call}"
        lines = [f"subroutine use_{number}({', '.join(names)})", *declarations]
        lines += [f"{result} :: x"] if result else []
        lines += [f"{statement}({', '.join(names)})", "end subroutine"]
        return [emit_fortran_modules.wrapped(line, 0) for line in lines]

    def check(self, flavour, head, variants):
        lines = ["module callers", "use, intrinsic :: iso_c_binding, only: c_ptr", *head, "contains"]
        count = 0
        for prefix in ("", "P"):
            for procedure, call, large, c_ptr in variants:
                names = [fortran.argument_name(p) for p in fortran.parameters(procedure, large)]
                declarations = flavour.declarations(procedure, large, c_ptr)
                if fortran.has_ierror(procedure):
                    names.append("ierror")
                lines += self.caller(count, prefix + call, names, declarations, fortran.function_result(procedure))
                count += 1
        self.assertGreater(count, 600)
        self.compile("\n".join([*lines, "end module", "program all", "use callers", "end program", ""]), "-w", "-O0")
        self.run_words(self.work / "program", env={**os.environ, "LD_PRELOAD": OPTIONS.preload or ""})

    def test_mpi_f08(self):
        specifics = [s for p in fortran.procedures(self.interface) for s in fortran.specifics(p)]
        variants = [(s.procedure, s.generic, s.large, fortran.has_c_ptr_overload(s.procedure) or fortran.returns_address_alone_in_f08(s.procedure))
                    for s in specifics]
        self.check(emit_fortran_modules.F08(self.interface), ["use mpi_f08", "implicit none"], variants)

    def test_mpi(self):
        procedures = fortran.procedures(self.interface)
        variants = [(p, p.name, False, False) for p in procedures]
        variants += [(p, p.name, False, True) for p in procedures if fortran.has_c_ptr_overload(p)]
        self.check(emit_fortran_modules.Mpi(self.interface), ["use mpi", "implicit none"], variants)

    def test_mpif_h(self):
        class Mpif(emit_fortran_modules.Mpi):
            def choice(self, procedure, p):
                return [f"integer :: {p.name}(*)"]

        variants = [(p, p.name, False, False) for p in fortran.procedures(self.interface)]
        self.check(Mpif(self.interface), ["implicit none", "include 'mpif.h'"], variants)

    def test_what_the_library_of_c_lacks_is_not_there(self):
        library = OPTIONS.build / "lib" / "libantiphon_fortran.so"
        symbols = set(re.findall(r" [TW] (\w+)", self.run_words("nm", "-D", library).stdout))
        for procedure in self.interface.procedures():
            if procedure.missing:
                self.assertNotIn(procedure.name.lower() + "_", symbols)
        self.assertIn("mpi_send_", symbols)
        self.assertIn("pmpi_send_c_f08ts_", symbols)
        self.assertFalse([name for name in symbols if name.startswith("_Z")])


class Mistakes(BindingsTest):
    def expect_refused(self, flavour, body, message):
        done = self.compile(hello(flavour, body), ok=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, message)

    def test_a_handle_of_another_kind_does_not_compile(self):
        for call in ("MPI_Barrier(MPI_INT)", "MPI_Barrier(1)", "MPI_Send(rank, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)"):
            self.expect_refused("f08", f"call {call}", "no specific subroutine for the generic")
        self.expect_refused("mpi", "call MPI_Barrier('world', ierror)", "Type mismatch in argument .comm.")
        self.expect_refused("f08", "MPI_COMM_WORLD = MPI_COMM_SELF", "variable definition context")

    def test_a_missing_argument_does_not_compile(self):
        self.expect_refused("mpi", "call MPI_Barrier(MPI_COMM_WORLD)", "Missing actual argument for argument .ierror.")
        self.expect_refused("mpi", "call MPI_Wait(rank, size, ierror)", "Rank mismatch in argument .status.")
        self.expect_refused("mpi", "call MPI_Send(rank, 1.0, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierror)", "Type mismatch in argument .count.")

    LONG_INTEGERS = "-fdefault-integer-8"

    def test_the_wrapper_refuses_long_default_integers_and_says_what_to_do(self):
        for flag in (self.LONG_INTEGERS, "-finteger-4-integer-8", "-i8"):
            done = self.compile(hello("f08"), flag, ok=False)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, f"^mpifort: {flag} makes every INTEGER 8 bytes long, .*: leave it out, and declare integer.8.")

    def compile_without_wrapper(self, name, *flags):
        words = self.run_words(self.bin / "mpifort", "--showme:compile").stdout.strip()
        folder = f"-I{OPTIONS.build}/include"
        modules = re.search(r" -I(.*/antiphon-fortran/[^/ ]*)", words)[1]
        return self.run_words(OPTIONS.compiler, *flags, folder, f"-I{modules}", "-fallow-argument-mismatch", "-c", name, ok=False)

    def test_long_default_integers_do_not_compile_without_the_wrapper_either(self):
        fixed = "".join(f"      {line.strip()}\n" for line in hello("mpif").splitlines())
        sources = {"free.f90": hello("mpif"), "fixed.f": fixed, "mpi.f90": hello("mpi"), "f08.f90": hello("f08")}
        for name, text in sources.items():
            with self.subTest(name):
                (self.work / name).write_text(text)
                self.assertEqual(self.compile_without_wrapper(name, "-w").returncode, 0)
                done = self.compile_without_wrapper(name, "-w", self.LONG_INTEGERS)
                self.assertNotEqual(done.returncode, 0)
        for name in ("free.f90", "fixed.f"):
            said = self.compile_without_wrapper(name, "-w", self.LONG_INTEGERS).stderr.lower()
            self.assertIn("mpi_needs_integer_of_4_bytes", said)
            self.assertIn("compile_without_fdefault_integer_8_or_i8", said)

    def expect_abort(self, body, message):
        for flavour in ("f08", "mpi", "mpif"):
            with self.subTest(flavour):
                self.compile(hello(flavour, body), name=flavour)
                done = self.launch(flavour, ranks=1, ok=False)
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stderr, message)

    def test_a_wrong_rank_is_named(self):
        self.expect_abort("call MPI_Send(rank, 1, MPI_INTEGER, 17, 0, MPI_COMM_WORLD, ierror)", "MPI_Send.*: MPI_ERR_RANK: dest=17")

    def test_a_null_handle_is_named(self):
        self.expect_abort("call MPI_Comm_rank(MPI_COMM_NULL, rank, ierror)", "MPI_Comm_rank: MPI_ERR_COMM: .*MPI_COMM_NULL")

    def test_a_negative_count_is_named(self):
        self.expect_abort("call MPI_Send(rank, -1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierror)", "MPI_Send.*: MPI_ERR_COUNT: count=-1")


class Wrapper(BindingsTest):
    def test_all_names_compile_all_flavours(self):
        for wrapper in ("mpifort", "mpif90", "mpif77"):
            for flavour in ("f08", "mpi", "mpif"):
                self.compile(hello(flavour), name=flavour, wrapper=wrapper)
                self.expect_ranks(flavour)

    def test_the_clock_is_right_where_a_flag_makes_double_precision_longer(self):
        for flavour in ("mpi", "mpif"):
            self.compile(hello(flavour, "if (.not. MPI_Wtime() > 1d-6) stop 1"), "-fdefault-real-8", name=flavour)
            self.expect_ranks(flavour)

    def test_questions_are_answered(self):
        ask = lambda what: self.run_words(self.bin / "mpifort", f"--showme:{what}").stdout.strip()
        self.assertEqual(ask("libs"), "antiphon_mpi_modules antiphon_fortran mpi_abi")
        self.assertTrue((pathlib.Path(ask("incdirs").split()[1]) / "mpi_f08.mod").exists())
        self.assertIn("-fallow-argument-mismatch", ask("compile"))
        self.assertIn("-lantiphon_fortran -lmpi_abi", ask("link"))

    def test_modules_can_be_made_for_another_compiler(self):
        plain = tempfile.TemporaryDirectory()  # no blank: a compiler's name may be of several words
        self.addCleanup(plain.cleanup)
        other = pathlib.Path(plain.name) / "other-gfortran"
        other.symlink_to(shutil.which(OPTIONS.compiler))
        done = self.compile(hello("f08"), f"-fc={other}", ok=False)
        self.assertIn(f"antiphon-fortran-modules {other} makes them", done.stderr)
        made = OPTIONS.build / "lib" / "antiphon-fortran" / other.name
        try:
            self.run_words(self.bin / "antiphon-fortran-modules", other)
            self.compile(hello("f08"), f"-fc={other}")
            self.expect_ranks("program")
        finally:
            shutil.rmtree(made, ignore_errors=True)

    def test_pkg_config_knows_mpi_fort(self):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(OPTIONS.build / "lib" / "pkgconfig")}
        flags = self.run_words("pkg-config", "--cflags", "--libs", "mpi-fort", env=environment).stdout.split()
        (self.work / "pkg.f90").write_text(hello("f08"))
        self.run_words(OPTIONS.compiler, "pkg.f90", "-o", "pkg", *flags)
        self.expect_ranks("pkg")


class Projects(BindingsTest):
    def test_cmake_finds_fortran(self):
        (self.work / "CMakeLists.txt").write_text(PROJECT)
        (self.work / "f08.f90").write_text(hello("f08"))
        build = self.work / "build"
        words = [f"-DCMAKE_Fortran_COMPILER={OPTIONS.compiler}", f"-DMPI_Fortran_COMPILER={self.bin}/mpifort"]
        configured = self.run_words(OPTIONS.cmake, "-S", self.work, "-B", build, *words).stdout
        self.assertIn("flavours TRUE TRUE TRUE", configured)
        self.run_words(OPTIONS.cmake, "--build", build)
        self.expect_ranks("build/hello")

    def test_an_installation_can_be_moved(self):
        first = self.work / "first place"
        self.run_words(OPTIONS.cmake, "--install", OPTIONS.build, "--prefix", first)
        moved = self.work / "moved"
        shutil.move(first, moved)
        (self.work / "moved.f90").write_text(hello("f08"))
        self.run_words(moved / "bin" / "mpifort", "moved.f90", "-o", "moved-program")
        self.expect_ranks("moved-program")
        self.run_words(moved / "bin" / "antiphon-fortran-modules", OPTIONS.compiler)


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
