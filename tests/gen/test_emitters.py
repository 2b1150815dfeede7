"""Every emitter against its golden text, on the small interface of sample/, in which MPI_Barrier is
missing, MPI_Get_count and MPI_Send have a short way, MPI_Bcast three forms, and the body of MPI_Waitall takes the lane
itself. After a wanted change: `test_emitters.py --update`, and read the difference before committing it."""

from __future__ import annotations

import sys
import unittest
from dataclasses import replace

from support import HERE, run

import generate
import model

GOLDEN = HERE / "golden"
EMITTED = {
    "include/mpi.h": "mpi.h",
    "abi/constants.hpp": "constants.hpp",
    "abi/error_strings.hpp": "error_strings.hpp",
    "api/bodies.hpp": "bodies.hpp",
    "api/procedures.hpp": "procedures.hpp",
    "exports.map": "exports.map",
    "entries_sample.cpp": "entries_sample.cpp",
    "include/mpif.h": "mpif.h",
    "fortran/entries_sample.cpp": "fortran_entries_sample.cpp",
    "fortran/mpi.f90": "mpi.f90",
    "fortran/mpi_f08.f90": "mpi_f08.f90",
    "settings/values.hpp": "settings_values.hpp",
    "settings/table.hpp": "settings_table.hpp",
    "settings/digest.hpp": "settings_digest.hpp",
    "counters/counters.hpp": "counters.hpp",
    "counters/table.hpp": "counters_table.hpp",
}


def emitted() -> dict[str, str]:
    interface = model.load(HERE / "sample")
    outputs = generate.outputs(interface)
    outputs |= generate.settings_outputs(HERE / "sample") | generate.counters_outputs(HERE / "sample")
    return {golden: outputs[name] for name, golden in EMITTED.items()}


class EmittersTest(unittest.TestCase):
    maxDiff = None

    def test_every_output_equals_its_golden_text(self) -> None:
        for golden, text in emitted().items():
            with self.subTest(golden):
                self.assertEqual((GOLDEN / golden).read_text(), text)

    def test_what_is_missing_is_not_exported(self) -> None:
        sample = model.load(HERE / "sample")
        none = {chapter: tuple(replace(procedure, missing=True) for procedure in procedures)
                for chapter, procedures in sample.chapters.items()}
        outputs = generate.outputs(replace(sample, chapters=none))
        self.assertEqual(outputs["exports.map"], "{\n  local:\n    *;\n};\n")
        self.assertNotIn("PMPI_", outputs["entries_sample.cpp"])


def update() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for golden, text in emitted().items():
        (GOLDEN / golden).write_text(text)


if __name__ == "__main__":
    update() if sys.argv[1:] == ["--update"] else run()
