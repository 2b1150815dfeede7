"""Which functions count as bodies."""

from __future__ import annotations

import unittest

from support import run

import scan

NAMES = {"send", "recv", "wtime", "comm_rank", "info_get", "barrier"}


class ScanTest(unittest.TestCase):
    def find(self, text: str) -> set[str]:
        return scan.bodies_in(text, NAMES)

    def test_a_definition_at_column_0_is_a_body(self) -> None:
        self.assertEqual(self.find("void send(Process& p) {\n}\ndouble wtime() { return 0; }\n"), {"send", "wtime"})

    def test_a_definition_may_span_lines_and_hold_parentheses(self) -> None:
        text = "void comm_rank(Process&, int (*f)(int),\n    int* rank) noexcept {\n}"
        self.assertEqual(self.find(text), {"comm_rank"})

    def test_any_return_type_will_do(self) -> None:
        text = "const std::vector<int>& recv(int) {}\nMPI_Comm *info_get()\n{\n}"
        self.assertEqual(self.find(text), {"recv", "info_get"})

    def test_declarations_calls_and_helpers_are_not_bodies(self) -> None:
        text = """void send(Process& p);
  recv(p) {
static void wtime() {}
return comm_rank(x);
void helper() {}
// void barrier() {
"""
        self.assertEqual(self.find(text), set())

    def test_a_name_that_only_ends_like_a_body_is_none(self) -> None:
        self.assertEqual(self.find("void my_send(int) {}\nvoid send_now(int) {}\nvoid Pt2pt::send(int) {}\n"), set())

    def test_a_fast_path_is_an_inline_function_named_after_the_body(self) -> None:
        text = "inline bool try_send(int) {\n}\nbool try_recv(int);\ninline bool try_other(int) {\n}\n"
        self.assertEqual(scan.fast_paths_in(text, NAMES), {"send"})

    def test_a_path_beside_the_lane_is_declared(self) -> None:
        text = "bool try_send(int) noexcept;\ninline bool applies() {\n}\nbool try_other(int);\n"
        self.assertEqual(scan.paths_beside_in(text, NAMES), {"send"})


if __name__ == "__main__":
    run()
