#!/usr/bin/env python3
"""Completion in bash, against what the programs themselves say.

completion_test.py --build FOLDER [unittest arguments]
"""
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import options  # noqa: E402

OPTIONS = options.parse(__doc__, build=pathlib.Path)
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "launch" / "completion" / "mpiexec.bash"


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
        for command in ("mpiexec", "mpirun", "mpiexec.antiphon", "mpirun.antiphon", "antiphon-info"):
            self.assertRegex(done.stdout, rf"(?m) {command}$")

    def test_a_shell_with_the_lines_that_make_install_prints_completes(self):
        with tempfile.TemporaryDirectory(prefix="antiphon prefix ") as folder:
            prefix = pathlib.Path(folder)
            completions = prefix / "share" / "bash-completion" / "completions"
            completions.mkdir(parents=True)
            (completions / "mpiexec").symlink_to(SCRIPT)
            (prefix / "bin").mkdir()
            for name, program in (("mpiexec", "mpiexec"), ("mpiexec.antiphon", "mpiexec"), ("antiphon-info", "antiphon-info")):
                (prefix / "bin" / name).symlink_to(OPTIONS.build / "bin" / program)
            (prefix / "bashrc").write_text(lines_for_bashrc(prefix))
            for command in ("mpiexec", "mpiexec.antiphon"):
                self.assertIn("--report-bindings", typed(prefix / "bashrc", f"{command} --report-b\t", "--report-bindings"))
            self.assertIn("wait_looks=", typed(prefix / "bashrc", "mpiexec.antiphon --set wait_loo\t", "wait_looks="))

    def test_no_lines_are_printed_for_a_prefix_where_bash_looks(self):
        self.assertEqual(lines_for_bashrc("/usr/local"), "")


def lines_for_bashrc(prefix):
    return subprocess.run(["make", "-s", "-C", ROOT, "bashrc", f"PREFIX={prefix}"], capture_output=True, text=True, check=True).stdout


def typed(rcfile, keys, awaited):
    """What the terminal of an interactive bash shows when somebody types: up to what is awaited, for ten seconds."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(INPUTRC="/dev/null", TERM="dumb")
        os.execvp("bash", ["bash", "--noprofile", "--rcfile", str(rcfile), "-i"])
    shown = b""
    os.write(terminal, keys.encode())
    while awaited.encode() not in shown and select.select([terminal], [], [], 10)[0]:
        shown += os.read(terminal, 4096)
    os.close(terminal)
    os.kill(pid, signal.SIGKILL)  # a bash that is still completing would take its time
    os.waitpid(pid, 0)
    return shown.decode()


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
