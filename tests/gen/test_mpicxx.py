#!/usr/bin/env python3
"""spec/mpicxx.toml: everything that MPI-2.2 had is in it, and what follows from a declaration."""
import pathlib
import re
import sys
import unittest
from dataclasses import replace

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "gen"))

import cxx_binding  # noqa: E402
import emit_mpicxx  # noqa: E402
import model  # noqa: E402

# MPI-1's attribute functions were deprecated when the C++ binding came, and have none.
WITHOUT = {"MPI_Attr_delete", "MPI_Attr_get", "MPI_Attr_put", "MPI_Keyval_create", "MPI_Keyval_free"}


class Mpicxx(unittest.TestCase):
    def setUp(self):
        self.interface = model.load(ROOT / "spec")
        self.binding = cxx_binding.load(ROOT / "spec", self.interface)

    def test_every_procedure_of_mpi_2_2_is_bound(self):
        of_2_2 = {p.name for p in self.interface.procedures() if p.since and float(p.since) <= 2.2}
        self.assertGreater(len(of_2_2), 250)
        self.assertEqual(of_2_2 - {f.procedure.name for f in self.binding.functions()}, WITHOUT)

    def test_a_function_with_a_status_has_a_twin_without(self):
        with_status, without = self.binding.of("MPI_Recv")
        self.assertEqual([p.name for p in with_status.parameters if p not in without.parameters], ["status"])

    def test_what_is_missing_is_left_out(self):
        chapters = {
            chapter: tuple(replace(p, missing=p.name == "MPI_Barrier") for p in procedures)
            for chapter, procedures in self.interface.chapters.items()
        }
        interface = replace(self.interface, chapters=chapters)
        binding = cxx_binding.existing(cxx_binding.load(ROOT / "spec", interface))
        text = emit_mpicxx.emit(interface, binding)
        self.assertNotIn("Barrier", text)
        self.assertIn("MPI_SEEK_SET", text)
        self.assertIn("inline void Comm::Bcast(", text)

    def test_the_document_lists_what_is_not_there(self):
        text = (ROOT / "docs" / "mpicxx.md").read_text()
        listed = set(re.findall(r"`(\w+)`", re.search(r"So these are missing: (.*?)\.\n", text, re.DOTALL)[1]))
        self.assertEqual(listed, {f.name for f in self.binding.functions() if f.procedure.missing})

    def test_seek_constants_come_with_the_procedure_that_takes_them(self):
        chapters = {
            chapter: tuple(replace(p, missing=p.missing or p.name == "MPI_File_seek") for p in procedures)
            for chapter, procedures in self.interface.chapters.items()
        }
        interface = replace(self.interface, chapters=chapters)
        text = emit_mpicxx.emit(interface, cxx_binding.existing(cxx_binding.load(ROOT / "spec", interface)))
        self.assertNotIn("seek.h", text)

    def test_a_parameter_that_the_procedure_does_not_have_is_an_error(self):
        barrier = next(p for p in self.interface.procedures() if p.name == "MPI_Barrier")
        with self.assertRaisesRegex(ValueError, "MPI_Barrier: the procedure has no parameter other"):
            cxx_binding._function("Comm", barrier, "void Barrier(int other) const")

    def test_no_name_is_declared_twice(self):
        text = emit_mpicxx.emit(self.interface, self.binding)
        constants = re.findall(r"(?m)^(?:const|static) .*?(\w+)(?:\(| =)", text)
        self.assertEqual(len(constants), len(set(constants)))


if __name__ == "__main__":
    unittest.main()
