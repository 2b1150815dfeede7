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

    def complaints(self, compiler: str, suffix: str, text: str, flags: list[str]) -> str:
        """What a compiler says of a program that it must refuse."""
        source = self.path / f"refused{suffix}"
        source.write_text(text)
        result = subprocess.run([compiler, *self.includes, *flags, str(source)], capture_output=True, text=True, timeout=60)
        self.assertNotEqual(result.returncode, 0, f"{compiler} takes {text}")
        return result.stderr

    def test_whoever_uses_a_removed_name_is_told_what_replaced_it(self) -> None:
        arguments = {"MPI_Errhandler_set": "c, e", "MPI_Address": "p, &a", "MPI_Type_struct": "1, &i, &a, &t, &t"}
        parameters = "(MPI_Comm c, MPI_Errhandler e, void* p, MPI_Aint a, int i, MPI_Datatype t)"
        uses = "".join(f"int use{name}{parameters} {{ return {name}({words}); }}\n" for name, words in arguments.items())
        uses += "MPI_Handler_function* f;\nMPI_Datatype g(void) { return MPI_UB; }\n"
        uses += "int h(int c) { return c == MPI_COMBINER_STRUCT_INTEGER; }\n"
        replaced = {removed.name: removed.instead for removed in self.interface.removed}
        languages = [(c, ".c", f"-std={s}") for c in C_COMPILERS for s in ("c89", "c99", "c2x")]
        languages += [(c, ".cpp", f"-std={s}") for c in CXX_COMPILERS for s in ("c++98", "c++11", "c++20")]
        for compiler, suffix, standard in languages:
            with self.subTest(f"{compiler} {standard}"):
                said = self.complaints(compiler, suffix, "#include <mpi.h>\n" + uses, [standard, "-fsyntax-only"])
                for name in [*arguments, "MPI_Handler_function", "MPI_UB", "MPI_COMBINER_STRUCT_INTEGER"]:
                    self.assertRegex(said, rf"error: .*\b{name}\b.* is unavailable: MPI 3.0 removed it; use {replaced[name]}")

    def test_no_probe_finds_a_removed_name(self) -> None:
        """Probes as CMake's check_symbol_exists and autoconf's AC_CHECK_DECL and AC_CHECK_FUNC make them."""
        for name in ("MPI_Address", "MPI_Type_struct", "MPI_UB"):
            for compiler in C_COMPILERS:
                with self.subTest(f"{compiler} {name}"):
                    address = f"int main(int n, char** v) {{ (void)v; return ((int*)(&{name}))[n]; }}\n"
                    self.complaints(compiler, ".c", "#include <mpi.h>\n" + address, ["-w"])
                    self.complaints(compiler, ".c", f"#include <mpi.h>\nint main(void) {{ (void) {name}; return 0; }}\n", ["-w"])
                    self.complaints(compiler, ".c", f"char {name}(void);\nint main(void) {{ return {name}(); }}\n", ["-w"])
                    macro = f"#include <mpi.h>\n#ifdef {name}\n#error there is a macro\n#endif\n"
                    self.compile(compiler, ".c", macro, ["-std=c99", *STRICT])

    def test_a_program_may_bring_removed_names_of_its_own(self) -> None:
        as_macro = "#define MPI_Address MPI_Get_address\n#include <mpi.h>\nint f(void* p, MPI_Aint* a) { return MPI_Address(p, a); }\n"
        shim = "int MPI_Address(void* location, MPI_Aint* address)"
        as_function = f"#include <mpi.h>\n{shim};\n{shim} {{ return MPI_Get_address(location, address); }}\n"
        as_function += "int f(void* p, MPI_Aint* a) { return MPI_Address(p, a); }\n"
        for compiler in C_COMPILERS:
            with self.subTest(compiler):
                self.compile(compiler, ".c", as_macro, ["-std=c99", *STRICT])
                self.compile(compiler, ".c", as_function, ["-std=c99", "-DANTIPHON_OWN_REMOVED_NAMES", *STRICT])

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
