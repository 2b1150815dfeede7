"""What the generator makes of the whole of spec/ compiles: mpi.h in every C and C++ it promises, the core's constants
next to the C library's macros, and the entry points as if every body existed."""

from __future__ import annotations

import os
import subprocess

from support import C_COMPILERS, CXX_COMPILERS, HERE, STRICT, GeneratedTest, run

C_LIBRARY = """cctype cerrno cfloat climits clocale cmath complex csignal cstdio cstdlib cstring ctime cwchar fcntl.h
    pthread.h sched.h sys/file.h sys/ioctl.h sys/mman.h sys/param.h sys/resource.h sys/socket.h sys/stat.h sys/types.h
    sys/wait.h unistd.h netinet/in.h poll.h""".split()


class CompileTest(GeneratedTest):
    def test_mpi_h_is_clean_in_c89_to_c2x(self) -> None:
        text = "#include <mpi.h>\n#include <mpi.h>\nint f(MPI_Comm c) { return c == MPI_COMM_WORLD; }\n"
        for compiler in C_COMPILERS:
            for standard in ("c89", "c99", "c11", "c17", "c2x"):
                with self.subTest(f"{compiler} {standard}"):
                    self.compile(compiler, ".c", text, [f"-std={standard}", "-Wno-long-long", *STRICT])

    def test_mpi_h_is_clean_in_cxx98_to_cxx2b(self) -> None:
        text = "#include <mpi.h>\n#include <mpi.h>\nint f(MPI_Comm c) { return MPI_Barrier(c); }\n"
        for compiler in CXX_COMPILERS:
            for standard in ("c++98", "c++11", "c++14", "c++17", "c++20", "c++2b"):
                with self.subTest(f"{compiler} {standard}"):
                    self.compile(compiler, ".cpp", text, [f"-std={standard}", "-Wno-long-long", *STRICT])

    def test_fortran_handle_conversions_are_usable(self) -> None:
        text = "#include <mpi.h>\nMPI_Fint f(MPI_Comm c) { return MPI_Comm_c2f(c); }\n"
        text += "MPI_Win g(MPI_Fint i) { return MPI_Win_f2c(i + 1); }\n"
        self.compile(C_COMPILERS[0], ".c", text, ["-std=c99", *STRICT])

    def test_constants_in_place_of_arrays_draw_no_warning(self) -> None:
        text = """#include <mpi.h>
void f(int* sources, int* destinations, MPI_Comm* new_comm, MPI_Request* requests) {
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, sources, MPI_UNWEIGHTED, 1, destinations, MPI_WEIGHTS_EMPTY,
                                 MPI_INFO_NULL, 0, new_comm);
  MPI_Dist_graph_neighbors(*new_comm, 1, sources, MPI_UNWEIGHTED, 1, destinations, MPI_UNWEIGHTED);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
"""
        strict = [flag for flag in STRICT if flag != "-fsyntax-only"]  # which leaves out such warnings
        for compiler in C_COMPILERS:
            with self.subTest(compiler):
                self.compile(compiler, ".c", text, ["-std=c99", "-O2", *strict, "-S", "-o", os.devnull])

    def test_entry_points_of_all_procedures_compile_without_a_warning(self) -> None:
        text = "".join(f'#include "entries_{chapter}.cpp"\n' for chapter in self.interface.chapters)
        for compiler in CXX_COMPILERS:
            with self.subTest(compiler):
                self.compile(compiler, ".cpp", text, ["-std=c++20", "-Wconversion", "-Wshadow", *STRICT])

    def test_core_constants_equal_mpi_h_and_stand_next_to_the_c_library(self) -> None:
        headers = [*(f"<{header}>" for header in C_LIBRARY), '"abi/constants.hpp"', '"api/procedures.hpp"', '"mpi.h"']
        numbers = [c.name for c in self.interface.constants() if c.c_type in ("int", "macro") and not c.core_name]
        names = [name for name in numbers + [e.name for e in self.interface.errors] if name.startswith("MPI_")]
        self.assertGreater(len(names), 200)
        checks = [f"static_assert(antiphon::abi::{name[4:]} == {name});" for name in names]
        text = "\n".join([*(f"#include {header}" for header in headers), *checks, ""])
        for compiler in CXX_COMPILERS:
            with self.subTest(compiler):
                self.compile(compiler, ".cpp", text, ["-std=c++20", *STRICT])

    def test_an_error_class_is_found_by_its_value_and_no_other_value_is(self) -> None:
        text = """#include "abi/error_strings.hpp"
using antiphon::abi::find_error_class;
static_assert(find_error_class(0)->name == "MPI_SUCCESS");
static_assert(find_error_class(6)->name == "MPI_ERR_RANK");
static_assert(find_error_class(1018)->name == "MPI_T_ERR_PVAR_NO_ATOMIC");
static_assert(!find_error_class(-1) && !find_error_class(63) && !find_error_class(16383));
"""
        self.compile(CXX_COMPILERS[0], ".cpp", text, ["-std=c++20", *STRICT])

    def test_conversions_between_widths_keep_their_promises(self) -> None:
        program = self.path / "arrays"
        flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-o", str(program)]
        self.compile(CXX_COMPILERS[0], ".cpp", (HERE / "arrays_test.cpp").read_text(), flags)
        result = subprocess.run([program], capture_output=True, text=True, timeout=20)
        self.assertEqual((result.returncode, result.stdout), (0, ""))


if __name__ == "__main__":
    run()
