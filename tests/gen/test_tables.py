"""A compiler compares mpi.h with the tables of the standard: each prototype, type and value is stated a second time,
from the tables, and the two must not contradict each other."""

from __future__ import annotations

import re
import subprocess
import unittest

from support import C_COMPILERS, SHARED, GeneratedTest, run

DATA = SHARED / "data"
CHECK = """#include <mpi.h>
#include <stdio.h>
static int wrong;
static void check(const char* name, intptr_t is, intptr_t should) {
  if (is != should) { printf("%s is %ld\\n", name, (long) is); ++wrong; }
}
"""


def rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (DATA / name).read_text().splitlines()[1:] if line]


def twice(name: str, returns: str, parameters: str) -> str:
    """A use of both names, which only mpi.h can have declared so far, and then both prototypes again."""
    use = f"void (*use_{name}[2])(void) = {{(void (*)(void)) {name}, (void (*)(void)) P{name}}};\n"
    return use + f"{returns} {name}({parameters});\n{returns} P{name}({parameters});\n"


def value_check(name: str, c_type: str, value: str) -> str:
    cast = re.fullmatch(r"\(\((.*)\)(\w+)\)", value)
    if cast:
        c_type, value = cast.groups()
    if c_type == "macro":
        c_type = "MPI_Datatype" if value.startswith("MPI_") else "int"
    return f'  {{ {c_type} v = {name}; check("{name}", (intptr_t) v, (intptr_t) {value}); }}\n'


@unittest.skipUnless(DATA.is_dir(), f"no tables in {DATA}")
class TablesTest(GeneratedTest):
    def test_every_prototype_agrees_and_has_its_pmpi_twin(self) -> None:
        table = rows("mpi50_c_procedures.tsv")
        self.assertEqual(len(table), 664)
        text = "#include <mpi.h>\n" + "".join(twice(*row[:3]) for row in table)
        for compiler in C_COMPILERS:
            with self.subTest(compiler):
                self.compile(compiler, ".c", text, ["-std=c99", "-Wall", "-Werror", "-fsyntax-only"])

    def test_every_type_agrees(self) -> None:
        types = (DATA / "mpi50_c_types.txt").read_text()
        text = "#include <mpi.h>\n#define MPI_ABI_Offset int64_t\n#define MPI_ABI_Count int64_t\n" + types
        for compiler in C_COMPILERS:
            with self.subTest(compiler):
                self.compile(compiler, ".c", text, ["-std=c11", "-Wall", "-Werror", "-fsyntax-only"])

    def test_every_constant_has_its_type_and_value_in_a_running_program(self) -> None:
        checks = "".join(value_check(*row[:3]) for row in rows("mpi50_abi_constants.tsv"))
        text = CHECK + "int main(void) {\n" + checks + "  return wrong != 0;\n}\n"
        for compiler in C_COMPILERS:
            with self.subTest(compiler):
                program = self.path / "constants"
                self.compile(compiler, ".c", text, ["-std=c89", "-Wall", "-Werror", "-o", str(program)])
                result = subprocess.run([program], capture_output=True, text=True, timeout=20)
                self.assertEqual((result.returncode, result.stdout), (0, ""))


if __name__ == "__main__":
    run()
