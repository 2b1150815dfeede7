#!/usr/bin/env python3
"""Completion in bash, against what the programs themselves say.

completion_test.py --build FOLDER [unittest arguments]
"""
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import options  # noqa: E402

OPTIONS = options.parse(__doc__, build=pathlib.Path)
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "launch" / "completion" / "mpiexec.bash"


def complete(program, *words):
    """What bash offers after `program words`, the last of which is being typed."""
    path = OPTIONS.build / "bin" / program
    function = "_antiphon_info" if program == "antiphon-info" else "_antiphon_mpiexec"
    before = words[-2] if len(words) > 1 else program
    text = f'source "$1"; {function} "$2" "$3" "$4"; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", text, "bash", SCRIPT, path, words[-1], before], capture_output=True, text=True,
                          timeout=60, check=True)
    return set(done.stdout.split())


class Completion(unittest.TestCase):
    def test_options_are_those_that_help_lists(self):
        self.assertLessEqual({"--bind-to", "--timeout", "-n", "-x", "--set", "--help"}, complete("mpiexec", "-"))
        self.assertEqual(complete("mpiexec", "--rep"), {"--report-bindings"})
        self.assertEqual(complete("antiphon-info", "--mis"), {"--missing"})
        self.assertLessEqual({"--missing", "--settings", "--json", "--collectives"}, complete("antiphon-info", ""))

    def test_values_are_those_that_the_option_takes(self):
        self.assertLessEqual({"none", "core", "socket"}, complete("mpiexec", "--bind-to", ""))
        self.assertEqual(complete("mpiexec", "--on-hang", "a"), {"abort"})
        self.assertIn("mpi_errors_return", complete("mpiexec", "--initial-errhandler", "mpi_errors_r"))
        self.assertEqual(complete("mpiexec", "-n", ""), set())

    def test_settings_come_from_antiphon_info(self):
        self.assertIn("wait_looks=", complete("mpiexec", "--set", "wait_l"))

    def test_what_is_no_option_is_a_program(self):
        self.assertIn("ls", complete("mpiexec", "l"))
        self.assertIn(str(SCRIPT), complete("mpiexec", "-v", str(SCRIPT)[:-3]))

    def test_the_script_says_for_which_commands_it_is(self):
        command = ["bash", "-c", 'source "$1"; complete -p', "bash", SCRIPT]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        for command in ("mpiexec", "mpirun", "antiphon-info"):
            self.assertRegex(done.stdout, rf"(?m) {command}$")


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
