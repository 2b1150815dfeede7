"""spec/ against the tables of the standard: every constant, prototype, chapter and parameter kind, compared as text
with what the model says; test_tables.py lets a compiler compare the tables with mpi.h."""

from __future__ import annotations

import re
import unittest

from support import SHARED, SPEC, run

import model

DATA = SHARED / "data"
# Names that the C interface and the table of kinds, which is older and made for all languages, spell differently.
OTHER_NAMES = {"indx": "index", "session": "pe_session", "dest": "source"}


def rows(name: str) -> list[list[str]]:
    lines = (DATA / name).read_text().splitlines()
    width = len(lines[0].split("\t"))
    return [(line.split("\t") + [""] * width)[:width] for line in lines[1:] if line]


def normal(declaration: str) -> str:
    """One spelling for `const void *buf` and `const void* buf`, and for the one type of `int a[]` and `int* a`."""
    return re.sub(r"^(.+?)\s*(\w+)\[\]$", r"\1*\2", re.sub(r"\s*\*\s*", "*", declaration).strip())


@unittest.skipUnless(DATA.is_dir(), f"no tables in {DATA}")
class FactsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.interface = model.load(SPEC)
        procedures = cls.interface.procedures()
        cls.variants = {name: (procedure, large) for procedure in procedures for name, large in procedure.variants()}

    def test_every_prototype_is_the_standards(self) -> None:
        table = rows("mpi50_c_procedures.tsv")
        self.assertEqual({row[0] for row in table}, set(self.variants))
        self.assertEqual(len(table), 664)
        for name, returns, parameters, note in table:
            with self.subTest(name):
                procedure, large = self.variants[name]
                expected = [] if parameters == "void" else [normal(p) for p in parameters.split(",")]
                self.assertEqual([normal(d) for d in procedure.declarations(large)], expected)
                self.assertEqual(procedure.returns, returns)
                deprecated = note.removeprefix("deprecated: MPI-") if note.startswith("deprecated") else ""
                self.assertEqual(procedure.deprecated, deprecated)

    def test_every_procedure_is_in_its_chapter(self) -> None:
        table = {name: chapter for name, chapter in rows("mpi50_chapters.tsv")}
        self.assertEqual({name: procedure.chapter for name, (procedure, _) in self.variants.items()}, table)

    def test_every_constant_has_its_abi_value(self) -> None:
        spec = {constant.name: constant for constant in self.interface.constants()}
        errors = {error.name: error.value for error in self.interface.errors}
        for name, c_type, value, note in rows("mpi50_abi_constants.tsv"):
            with self.subTest(name):
                if name in errors:
                    self.assertEqual(errors[name], int(value, 0))
                    continue
                constant = spec[name]
                cast = re.fullmatch(r"\(\((.*)\)(\w+)\)", value)
                if cast:
                    c_type, value = cast.groups()
                if value.startswith("MPI_"):
                    self.assertEqual(constant.value, value)
                    continue
                self.assertEqual(constant.value, int(value, 0))
                self.assertEqual(constant.c_type, c_type)
                self.assertEqual(constant.deprecated, note[16:] if note.startswith("deprecated: MPI-") else "")

    def test_every_parameter_has_the_standards_kind_and_direction(self) -> None:
        kinds: dict[str, dict[str, list[str]]] = {}
        for row in rows("mpi41_parameter_kinds.tsv"):
            if row[1] == "procedure" and row[0] in self.variants:
                kinds.setdefault(row[0], {})[row[3].lower()] = row
        self.assertGreater(len(kinds), 400)
        for name, table in kinds.items():
            for parameter in self.variants[name][0].parameters:
                with self.subTest(f"{name}, {parameter.name}"):
                    row = table.get(parameter.name.lower()) or table[OTHER_NAMES[parameter.name]]
                    self.assertEqual(parameter.kind.name, row[4])
                    self.assertEqual(parameter.direction, row[5])
                    self.assertEqual(parameter.const, bool(row[6]))
                    self.assertEqual(parameter.root_only, bool(row[10]))
                    self.assertEqual(parameter.large_only, bool(row[11]))
                    if re.fullmatch(r"\w+", row[7]):
                        self.assertEqual(parameter.length, row[7])


if __name__ == "__main__":
    run()
