"""spec/ is sound in itself: what one file says another does not contradict, and C and C++ can say all of it."""

from __future__ import annotations

import re
import unittest

from support import SPEC, run

import model

KEYWORDS = set(
    """alignas and asm auto bool break case catch char class const constexpr continue default delete do double else
    enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not nullptr
    operator or private protected public register return short signed sizeof static struct switch template this throw
    true try typedef typeid typename union unsigned using virtual void volatile while xor
    call process errno""".split()
)
VERSIONS = {"1.0", "1.1", "1.2", "2.0", "2.1", "2.2", "3.0", "3.1", "4.0", "4.1", "5.0"}
MAX_ERROR_STRING = 512


class ModelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.interface = model.load(SPEC)

    def parameters(self):
        return [(procedure, p) for procedure in self.interface.procedures() for p in procedure.parameters]

    def test_names_are_unique(self) -> None:
        names = [name for procedure in self.interface.procedures() for name, _ in procedure.variants()]
        names += [constant.name for constant in self.interface.constants()]
        names += [error.name for error in self.interface.errors]
        self.assertEqual(len(names), len(set(names)))

    def test_bodies_have_unique_names_that_are_no_keywords(self) -> None:
        names = [procedure.body_name() for procedure in self.interface.procedures() if not procedure.is_for_later()]
        self.assertEqual(len(names), len(set(names)))
        self.assertFalse(set(names) & KEYWORDS)

    def test_forms_of_a_collective_share_a_body_and_its_parameters(self) -> None:
        def parameters(procedure: model.Procedure) -> list:
            return [(p.declaration(large=True), p.nullable, p.length) for p in procedure.body_parameters()]

        blocking = {p.body_name(): parameters(p) for p in self.interface.procedures() if p.form == "blocking"}
        for procedure in self.interface.procedures():
            if procedure.is_for_later():
                self.assertEqual(parameters(procedure), blocking[procedure.body_name()], procedure.name)

    def test_parameters_can_be_named_in_c_and_cxx(self) -> None:
        for procedure, parameter in self.parameters():
            self.assertRegex(parameter.name, r"^[a-z]\w*$", procedure.name)
            self.assertNotIn(parameter.name, KEYWORDS, procedure.name)

    def test_directions_lengths_and_overflows_mean_something(self) -> None:
        for procedure, parameter in self.parameters():
            where = f"{procedure.name}, {parameter.name}"
            self.assertIn(parameter.direction, ("in", "out", "inout"), where)
            self.assertIn(parameter.overflow, ("", "undefined"), where)
            if re.fullmatch(r"[a-z_0-9]+", parameter.length):
                self.assertIn(parameter.length, [p.name for p in procedure.parameters], where)

    def test_only_procedures_with_a_large_variant_have_wide_parameters(self) -> None:
        for procedure in self.interface.procedures():
            differs = any(p.is_wide() or p.large_only for p in procedure.parameters)
            self.assertEqual(differs and procedure.large, procedure.large, procedure.name)
            if not procedure.large:
                self.assertFalse(any(p.large_only for p in procedure.parameters), procedure.name)

    def test_a_datatype_goes_with_a_peer_wherever_one_message_has_both(self) -> None:
        for procedure in self.interface.procedures():
            types = [p for p in procedure.parameters if p.peer]
            ranks = {p.name for p in procedure.parameters if p.kind.name == "RANK"}
            self.assertLessEqual({p.peer for p in types}, ranks, procedure.name)
            if procedure.name in ("MPI_Send", "MPI_Irecv", "MPI_Ssend_init", "MPI_Sendrecv"):
                self.assertEqual({p.peer for p in types}, ranks, procedure.name)

    def test_a_procedure_that_cannot_fail_returns_something(self) -> None:
        for procedure in self.interface.procedures():
            if procedure.returns != "int":
                self.assertFalse(procedure.error_code, procedure.name)
            if not procedure.error_code:
                self.assertTrue(all(p.direction == "in" for p in procedure.parameters), procedure.name)

    def test_versions_exist(self) -> None:
        for procedure in self.interface.procedures():
            self.assertIn(procedure.since, VERSIONS, procedure.name)
            self.assertIn(procedure.deprecated, VERSIONS | {""}, procedure.name)
        for error in self.interface.errors:
            self.assertIn(error.since, VERSIONS, error.name)

    def test_every_error_class_has_one_value_and_one_short_sentence(self) -> None:
        values = [error.value for error in self.interface.errors]
        self.assertEqual(len(values), len(set(values)))
        for error in self.interface.errors:
            self.assertRegex(error.text, r"^[A-Z].*\.$", error.name)
            self.assertLess(len(error.text), MAX_ERROR_STRING, error.name)

    def test_handle_values_are_unique_and_below_4096(self) -> None:
        handles = set(self.interface.types.handles)
        values = [c.value for c in self.interface.constants() if c.c_type in handles and isinstance(c.value, int)]
        nonzero = [value for value in values if value > 1]
        self.assertEqual(len(nonzero), len(set(nonzero)))
        self.assertLess(max(nonzero), 4096)


if __name__ == "__main__":
    run()
