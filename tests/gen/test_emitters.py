"""Every emitter against its golden text, on the small interface of sample/, in which all procedures but MPI_Barrier
have a body, MPI_Get_count has a fast path, and MPI_Send and MPI_Waitall go beside the lane. After a wanted change: `test_emitters.py --update`, and read the difference before committing it."""

from __future__ import annotations

import sys
import unittest

from support import HERE, run

import generate
import model
from emit_entries import Beside

GOLDEN = HERE / "golden"
EMITTED = {
    "include/mpi.h": "mpi.h",
    "abi/constants.hpp": "constants.hpp",
    "abi/error_strings.hpp": "error_strings.hpp",
    "api/bodies.hpp": "bodies.hpp",
    "api/procedures.hpp": "procedures.hpp",
    "exports.map": "exports.map",
    "entries_sample.cpp": "entries_sample.cpp",
}


def emitted() -> dict[str, str]:
    interface = model.load(HERE / "sample")
    bodies = {procedure.body_name() for procedure in interface.procedures()} - {"barrier"}
    outputs = generate.outputs(interface, bodies, {"get_count"}, Beside(tried={"send"}, bodies={"waitall"}))
    return {golden: outputs[name] for name, golden in EMITTED.items()}


class EmittersTest(unittest.TestCase):
    maxDiff = None

    def test_every_output_equals_its_golden_text(self) -> None:
        for golden, text in emitted().items():
            with self.subTest(golden):
                self.assertEqual((GOLDEN / golden).read_text(), text)

    def test_a_spec_without_any_body_exports_nothing(self) -> None:
        outputs = generate.outputs(model.load(HERE / "sample"), set())
        self.assertEqual(outputs["exports.map"], "{\n  local:\n    *;\n};\n")
        self.assertNotIn("PMPI_", outputs["entries_sample.cpp"])


def update() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for golden, text in emitted().items():
        (GOLDEN / golden).write_text(text)


if __name__ == "__main__":
    update() if sys.argv[1:] == ["--update"] else run()
