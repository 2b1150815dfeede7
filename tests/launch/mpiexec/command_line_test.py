#!/usr/bin/env python3
"""What may be written after mpiexec, and what it says about mistakes there.

Usage: see cases.py.
"""
import os
import pathlib
import tempfile
import unittest

from cases import LaunchTest, OPTIONS


class CommandLine(LaunchTest):
    def test_mistakes_are_told_with_what_is_valid(self):
        for words, status, message in (
            (["-n", "x", "ls"], 2, r"-n: 'x' is not a number of ranks \(valid: 1 to \d+\)"),
            (["-n", "0", "ls"], 2, r"-n: '0' is not"),
            (["-n", "-3", "ls"], 2, r"-n: '-3' is not"),
            (["-n"], 2, r"-n: a value is missing"),
            ([], 2, r"no program to run"),
            (["-n", "2"], 2, r"no program to run"),
            (["ls", ":"], 2, r"no program after ':'"),
            (["-n", "2", ""], 2, r"no program to run: its name is empty"),
            (["-n", "", "ls"], 2, r"-n: '' is not a number of ranks"),
            (["-n", "1.5", "ls"], 2, r"-n: '1\.5' is not a number of ranks"),
            (["-n", "99999999999", "ls"], 2, r"-n: '99999999999' is not a number of ranks"),
            (["-np2x", "ls"], 2, r"unknown option '-np2x', did you mean '--np'\?"),
            (["-n0", "ls"], 2, r"-n: '0' is not a number of ranks"),
            (["-soft", "2,,3", "ls"], 2, r"-soft: '2,,3' is not a list of triplets"),
            (["-n", "4", "-soft", "5:9", "ls"], 2, r"-soft: '5:9' has no number from 1 to 4 \(-n\)"),
            (["-arch", "pdp11", "ls"], 2, r"-arch: 'pdp11' is not the architecture of this machine"),
            (["-map-by", "ppr:2:socket", "ls"], 2, r"-map-by: 'ppr:2:socket' is unknown"),
            (["-file", "/no/such/file"], 2, r"-file: '/no/such/file' cannot be read: No such file"),
            (["--mca", "btl", "self", "ls"], 2, r"--mca: settings are given by --set NAME=VALUE \(antiphon-info --settings "),
            (["--rank-by", "slot", "ls"], 2, r"--rank-by: cpus are given to ranks by --bind-to WHERE"),
            (["-genvnone", "ls"], 2, r"-genvnone: ranks have the environment of mpiexec"),
            (["--zzzzzzzz", "ls"], 2, r"unknown option '--zzzzzzzz' \(mpiexec --help lists all\)"),
            (["-wdir", "", "ls"], 2, r"-wdir: '' is not a directory"),
            (["-wdir", "/etc/passwd", "ls"], 2, r"'/etc/passwd' is not a directory"),
            (["-host", "", "ls"], 2, r"-host: '' names no host"),
            (["-x", "=3", "ls"], 2, r"-x: '' is not the name of a variable"),
            (["--label=1", "ls"], 2, r"--label: '=1' is too much here \(this option takes no value\)"),
            (["--bind-too", "core", "ls"], 2, r"unknown option '--bind-too', did you mean '--bind-to'\?"),
            (["--bind-to", "moon", "ls"], 2, r"--bind-to: 'moon' is unknown \(valid: none, core, "),
            (["--timeout", "soon", "ls"], 2, r"--timeout: 'soon' is not a time"),
            (["-host", "h1:0", "ls"], 2, r"-host: '0' is not a number of slots for h1 \(valid: 1 to \d+\)"),
            (["-host", "h[1-", "ls"], 2, r"-host: 'h\[1-' has a \[ without its \] \(valid: hosts separated by commas"),
            (["-host", "h1,,h2", "ls"], 2, r"-host: 'h1,,h2' names no host \(valid: "),
            (["--launcher", "pigeon", "ls"], 2, r"--launcher: 'pigeon' is unknown \(valid: ssh, "),
            (["-wdir", "/no/such/folder", "ls"], 2, r"'/no/such/folder' is not a directory"),
            (["-n", "2", "./no-such-program"], 127, r"cannot run './no-such-program': No such file"),
            (["-wdir", "/", "./no-such-program"], 127, r"cannot run './no-such-program' from '/' \(-wdir\): No such"),
            (["-n", "2", "no-such-program"], 127, r"cannot run 'no-such-program': neither PATH nor"),
            (["-n", "2", "/etc/passwd"], 126, r"cannot run '/etc/passwd': it is not executable"),
            (["-n", "2", "/etc"], 126, r"cannot run '/etc': it is a directory"),
        ):
            with self.subTest(words=words):
                job = self.run_job(*words)
                self.check(job, status, message)
                self.assertEqual(len(job.err.splitlines()), 1)

    def test_what_the_kernel_refuses_is_told_with_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "tool"
            program.write_text("#!/no/such/interpreter\n")
            program.chmod(0o755)
            job = self.run_job("-n", 2, program)
        self.check(job, 127, rf"rank \d cannot start '{program}': exec: No such file or directory \(the interpreter")
        self.assertEqual(len(job.err.splitlines()), 1)

    def test_host_files_are_read_and_their_mistakes_told_with_the_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "hosts"
            for text, status, message in (
                ("# mine\nlocalhost slots=4\n\nlocalhost:2 # again\n", 0, "^$"),
                ("localhost\nh1 slots=x\n", 2, rf"^mpiexec: -hostfile: line 2 of {path}: 'x' is not a number of slots \(valid: "),
                ("localhost\nh1 slot=2\n", 2, rf"line 2 of {path}: 'slot=2' is unknown after a host \(valid: slots=N, max_"),
                ("localhost max_slots=2 slots=4\n", 2, r"would get more than 2 ranks, its max_slots"),
                ("# none\n", 2, rf"-hostfile: '{path}' names no host \(valid: a file with"),
            ):
                path.write_text(text)
                with self.subTest(text=text):
                    self.check(self.run_job("-hostfile", path, "true"), status, message)
            for name, message in (("missing", "cannot be read: No such file"), (".", "is a directory")):
                with self.subTest(name=name):
                    wrong = pathlib.Path(folder) / name
                    self.check(self.run_job("--machinefile", wrong, "true"), 2, rf"--machinefile: '{wrong}' {message}")

    def test_two_dashes_end_the_options(self):
        self.assertEqual(self.run_job("-n", 2, "--", "echo", "--", "a").out, "-- a\n" * 2)

    def test_help_and_version_need_no_program(self):
        self.assertIn("--bind-to", self.run_job("--help").out)
        self.assertIn("Antiphon", self.run_job("--version").out)

    def test_each_program_has_its_own_ranks_variables_and_directory(self):
        show = ["sh", "-c", "echo $ANTIPHON_RANK $A $(pwd)"]
        with tempfile.TemporaryDirectory() as folder:
            job = self.run_job("-l", "-n", 2, "-x", "A=one", "-wdir", folder, *show, ":", "-n", 1, "-env", "A", "two",
                               "-wdir", "/", *show)
            real = os.path.realpath(folder)
        self.check(job, 0)
        self.assertEqual(sorted(job.out.splitlines()), [f"[0] 0 one {real}", f"[1] 1 one {real}", "[2] 2 two /"])

    def test_a_program_is_looked_for_first_where_path_says(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "true"
            program.write_text("#!/bin/sh\necho mine\n")
            program.chmod(0o755)
            self.assertEqual(self.run_job("-path", f"/no/such/folder:{folder}", "true", ":", "true").out, "mine\n")
            self.assertEqual(self.run_job("-path", folder, "echo", "another").out, "another\n")

    def test_a_file_may_have_the_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "programs"
            path.write_text("# mine\n-n 2 -x A=one sh -c 'echo $A $ANTIPHON_RANK'  # two\n\n"
                            "-n1 \\\n  echo \"more  words\" 3\n")
            for option in ("-file", "-configfile"):
                job = self.run_job("-l", option, path, ":", "echo", "last")
                self.check(job, 0)
                self.assertEqual(sorted(job.out.splitlines()), ["[0] one 0", "[1] one 1", "[2] more  words 3", "[3] last"])
            for text, message in (
                ("echo 'open\n", rf"-file: '{path}' has a quote without its end in line 1"),
                ("# none\n", rf"-file: '{path}' names no program"),
                ("true\n-n x true\n", rf"line 2 of {path}: -n: 'x' is not a number of ranks"),
                (f"-file {path}\n", rf"line 1 of {path}: -file: a file of programs cannot name another file of programs"),
            ):
                path.write_text(text)
                with self.subTest(text=text):
                    self.check(self.run_job("-file", path), 2, rf"^mpiexec: {message}")
            self.check(self.run_job("-file", path, "true"), 2, "-file: 'true' and the file cannot both say what to run")

    def test_says_what_runs_where_if_asked(self):
        for option in ("-v", "--verbose"):
            job = self.run_job(option, "-n", 2, "-wdir", "/", "true", "a", "b", ":", "sleep", "0")
            self.check(job, 0, r"(?m)^mpiexec: rank 1 \(pid \d+, host \S+\) runs true a b in /",
                       r"(?m)^mpiexec: rank 2 \(pid \d+, host \S+\) runs sleep 0")
            self.assertEqual(len(job.err.splitlines()), 3)

    def test_a_program_is_found_relative_to_its_directory(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "tool"
            program.write_text("#!/bin/sh\necho found\n")
            program.chmod(0o755)
            for name in ("./tool", "tool"):
                self.assertEqual(self.run_job("-wdir", folder, name).out, "found\n")

    def test_the_spellings_of_other_launchers_are_understood(self):
        job = self.run_job("--oversubscribe", "--allow-run-as-root", "-np", 2, "-host", "localhost:2", "-genv", "B", "3",
                           "sh", "-c", "echo $B")
        self.check(job, 0)
        self.assertEqual(job.out, "3\n3\n")
        for words, ranks in ((["-n3"], 3), (["-np3"], 3), (["-ppn", "3"], 3), (["--npernode", "3"], 3), (["-N", "3"], 3),
                             (["--map-by", "ppr:3:node"], 3), (["-n", "2", "-ppn", "3"], 2), (["-arch", os.uname().machine], 1),
                             (["-n", "9", "-soft", "1:20:4"], 9), (["-n", "8", "-soft", "1:20:4"], 5)):
            with self.subTest(words=words):
                job = self.run_job(*words, "echo", "here")
                self.check(job, 0)
                self.assertEqual(job.out, "here\n" * ranks)


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
