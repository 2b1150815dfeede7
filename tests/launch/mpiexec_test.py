#!/usr/bin/env python3
"""mpiexec from outside: exit statuses, messages, output, signals, and that nothing is ever left behind.

mpiexec_test.py --mpiexec PATH --rank PATH [--kills N] [unittest arguments]

--rank is the fake_rank program. --kills N is how often mpiexec is killed at a random moment (default 10).
"""
import concurrent.futures
import contextlib
import os
import pathlib
import pty
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import options  # noqa: E402

OPTIONS = options.parse(__doc__, mpiexec=str, rank=str, kills=10)
PATIENCE_S = 60
SOON_S = 10  # what a slow machine with other work needs, and much less than ranks take that nobody ends


def marked_processes(mark):
    """Every process, whoever its parent is, that inherited the mark of one test's job."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if mark.encode() in (entry / "environ").read_bytes():
                found.append((int(entry.name), (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()))
        except OSError:
            pass
    return found


class Job:
    """An mpiexec started by a test; everything it starts carries the job's mark."""

    def __init__(self, *words, stdin=subprocess.DEVNULL, environment=None, **options):
        self.mark = f"LAUNCH_TEST_MARK={uuid.uuid4()}"
        name, value = self.mark.split("=")
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("ANTIPHON_", "OMP_", "MPIEXEC_"))}
        self.started = time.monotonic()
        self.process = subprocess.Popen([OPTIONS.mpiexec, *map(str, words)], stdin=stdin, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True,
                                        env={**clean, **(environment or {}), name: value}, **options)

    def finish(self, stdin=None):
        self.out, self.err = self.process.communicate(stdin, timeout=PATIENCE_S)
        self.took = time.monotonic() - self.started
        self.status = self.process.returncode
        return self

    def survivors(self, within_s=SOON_S):
        deadline = time.monotonic() + within_s
        while (left := marked_processes(self.mark)) and time.monotonic() < deadline:
            time.sleep(0.01)
        for pid, _ in left:
            os.kill(pid, signal.SIGKILL)
        return left

    def wait_for_processes(self, count, that_run=""):
        """Until there are so many whose command line begins so; returns their pids."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            found = [pid for pid, words in marked_processes(self.mark) if words.startswith(that_run)]
            if len(found) >= count or time.monotonic() > deadline:
                return found
            time.sleep(0.01)


class LaunchTest(unittest.TestCase):
    def run_job(self, *words, stdin=None, **options):
        job = Job(*words, stdin=subprocess.PIPE if stdin else subprocess.DEVNULL, **options).finish(stdin)
        self.assertEqual(job.survivors(within_s=0.2), [])
        return job

    def in_terminal(self, *words):
        """What mpiexec and its ranks print on a terminal."""
        here, there = pty.openpty()
        process = subprocess.Popen([OPTIONS.mpiexec, *map(str, words)], stdin=subprocess.DEVNULL, stdout=there, stderr=there)
        os.close(there)
        shown = bytearray()
        with contextlib.suppress(OSError):  # a terminal that nobody writes to any more
            while piece := os.read(here, 1 << 16):
                shown += piece
        os.close(here)
        self.assertEqual(process.wait(PATIENCE_S), 0, shown)
        return shown.decode()

    def check(self, job, status, *messages):
        self.assertEqual(job.status, status, job.err)
        for message in messages:
            self.assertRegex(job.err, message)


class ExitStatus(LaunchTest):
    def test_is_0_when_every_rank_ends_well(self):
        for ranks in (1, 2, 3, 9):
            job = self.run_job("-n", ranks, "sh", "-c", "echo $ANTIPHON_RANK/$ANTIPHON_SIZE")
            self.check(job, 0)
            self.assertEqual(sorted(job.out.split()), sorted(f"{r}/{ranks}" for r in range(ranks)))
            self.assertEqual(job.err, "")

    def test_is_that_of_a_rank_that_fails(self):
        job = self.run_job("-n", 3, "sh", "-c", "[ $ANTIPHON_RANK = 1 ] && exit 7; exec sleep 30")
        self.check(job, 7, r"^mpiexec: rank 1 \(pid \d+, host \S+\) exited with status 7\n$")
        self.assertLess(job.took, SOON_S)

    def test_is_128_plus_the_signal_that_killed_a_rank(self):
        job = self.run_job("-n", 3, "sh", "-c", "[ $ANTIPHON_RANK = 2 ] && kill -SEGV $$; exec sleep 30")
        self.check(job, 139, r"^mpiexec: rank 2 \(pid \d+, host \S+\) died by signal 11 \(Segmentation fault\)\n$")
        self.assertLess(job.took, SOON_S)

    def test_comes_even_if_the_other_ranks_ignore_SIGTERM(self):
        job = self.run_job("-n", 3, "sh", "-c", "trap '' TERM; [ $ANTIPHON_RANK = 0 ] && sleep 0.3 && exit 9; while :; do sleep 1; done")
        self.check(job, 9)
        self.assertLess(job.took, SOON_S)

    def test_is_the_code_of_an_abort(self):
        for code, status in ((5, 5), (0, 1), (256, 1)):
            job = self.run_job("-n", 3, OPTIONS.rank, "abort", 1, code)
            self.check(job, status, rf"^mpiexec: rank 1 \(pid \d+, host \S+\) aborted the job with code {code}: "
                                    r"as the test wants\n$")

    def test_is_an_error_when_a_rank_deserts_the_others(self):
        program = f"[ $ANTIPHON_RANK = 1 ] && exec {OPTIONS.rank} init; exec {OPTIONS.rank} join-and-sleep 30"
        job = self.run_job("-n", 3, "sh", "-c", program)
        self.check(job, 1, r"rank 1 \(pid \d+, host \S+\) exited without calling MPI_Finalize while others go on")

    def test_is_an_error_when_a_rank_ends_without_init_and_the_others_wait_for_it(self):
        program = f"[ $ANTIPHON_RANK = 1 ] && exit 0; exec {OPTIONS.rank} wait-for 1 - 1"
        job = self.run_job("-n", 3, "sh", "-c", program)
        self.check(job, 1, r"rank 1 \(pid \d+, host \S+\) exited without calling MPI_Init, and the others wait\n",
                   r"rank 0 waits for rank 1, which has exited")

    def test_is_0_when_a_rank_ends_without_init_and_the_others_do_not_wait(self):
        program = f"[ $ANTIPHON_RANK = 1 ] && exit 0; exec {OPTIONS.rank} join-and-sleep 6"
        self.check(self.run_job("-n", 3, "sh", "-c", program), 0)

    def test_of_a_rank_whose_finalize_failed_is_told_as_such(self):
        program = f"[ $ANTIPHON_RANK = 1 ] && exec {OPTIONS.rank} fail-to-finalize; exec {OPTIONS.rank} join-and-sleep 30"
        job = self.run_job("-n", 3, "sh", "-c", program)
        self.check(job, 1, r"rank 1 \(pid \d+, host \S+\) exited after its MPI_Finalize had returned an error while")

    def run_with_rank_1_gone_first(self, rank_1, others):
        """Where the others say $AFTER_RANK_1, they wait until mpiexec has seen its end, and a moment longer."""
        wait = "until [ -e pid ] && ! kill -0 $(cat pid) 2>/dev/null; do sleep 0.02; done; sleep 0.3"
        program = (f"if [ $ANTIPHON_RANK = 1 ]; then echo $$ >begun; mv begun pid; {rank_1}; "
                   f"else {others.replace('$AFTER_RANK_1', wait)}; fi")
        with tempfile.TemporaryDirectory() as folder:
            return self.run_job("-n", 3, "-wdir", folder, "sh", "-c", program)

    def test_is_that_of_a_rank_killed_after_finalize_and_the_others_finish(self):
        job = self.run_with_rank_1_gone_first(f"{OPTIONS.rank} finalize; kill -SEGV $$",
                                              f"{OPTIONS.rank} finalize; $AFTER_RANK_1; echo last line")
        self.check(job, 139, r"^mpiexec: rank 1 \(pid \d+, host \S+\) died by signal 11 \(Segmentation fault\)\n$")
        self.assertEqual(job.out, "last line\n" * 2)

    def test_is_that_of_a_rank_that_fails_after_finalize_and_the_others_finish(self):
        job = self.run_with_rank_1_gone_first(f"exec {OPTIONS.rank} finalize 7",
                                              f"{OPTIONS.rank} finalize; $AFTER_RANK_1; echo last line; exit 8")
        self.check(job, 7, r"^mpiexec: rank 1 \(pid \d+, host \S+\) exited with status 7\n$")
        self.assertEqual(job.out, "last line\n" * 2)

    def test_is_0_when_a_rank_finalizes_earlier_than_the_others(self):
        program = f"[ $ANTIPHON_RANK = 1 ] && exec {OPTIONS.rank} finalize; exec {OPTIONS.rank} join-and-sleep 2"
        self.check(self.run_job("-n", 3, "sh", "-c", program), 0)

    def test_is_124_after_a_timeout(self):
        job = self.run_job("--timeout", 0.3, "-n", 2, "sleep", 30)
        self.check(job, 124, r"mpiexec: the job did not end within 0\.3 s \(--timeout\)")
        self.assertLess(job.took, SOON_S)
        self.check(self.run_job("-n", 2, "sleep", 30, environment={"MPIEXEC_TIMEOUT": "0.3"}), 124)


    def test_costs_no_cpu_to_wait_for(self):
        used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        before = used()
        self.run_job("--timeout", 1, "-n", 3, "sh", "-c", "trap '' TERM; while :; do sleep 1; done")
        # In 1.5 s, of which 0.5 s are patience with ranks that ignore SIGTERM; starting all that costs some.
        self.assertLess(used() - before, 0.5)


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
            (["-host", "elsewhere.example", "ls"], 2, r"-host: 'elsewhere.example' is not this machine"),
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

    def test_host_files_may_name_this_machine_only(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "hosts"
            for text, status, message in (
                ("# mine\nlocalhost slots=4\n\nlocalhost:2 # again\n", 0, "^$"),
                ("localhost\nelsewhere.example\n", 2, rf"line 2 of {path}: 'elsewhere\.example' is not this machine"),
                ("# none\n", 2, rf"-hostfile: '{path}' names no host \(valid: a file that"),
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


class Streams(LaunchTest):
    def test_standard_input_goes_to_rank_0_alone(self):
        job = self.run_job("-l", "-n", 3, "cat", stdin="a\nb\n")
        self.check(job, 0)
        self.assertEqual(job.out, "[0] a\n[0] b\n")

    def test_labels_start_whole_lines_of_both_streams(self):
        job = self.run_job("-l", "-n", 9, "sh", "-c", "printf a; sleep 0.1; echo b; printf tail; echo e >&2")
        self.check(job, 0)
        self.assertEqual(sorted(job.out.splitlines()), sorted(f"[{r}] {t}" for r in range(9) for t in ("ab", "tail")))
        self.assertEqual(sorted(job.err.splitlines()), sorted(f"[{r}] e" for r in range(9)))

    def test_labelled_output_arrives_complete(self):
        job = self.run_job("-l", "-n", 3, "sh", "-c", "seq 20000")
        self.check(job, 0)
        for rank in range(3):
            mine = [line[4:] for line in job.out.splitlines() if line.startswith(f"[{rank}] ")]
            self.assertEqual(mine, [str(i) for i in range(1, 20001)])

    PIECES = ("import os\nr = os.environ['ANTIPHON_RANK']\n"
              "for i in range(500):\n  os.write(1, f'{r} {i} '.encode())\n  os.write(1, ('x' * 3000 + '\\n').encode())")

    def check_whole(self, text):
        torn = [line[:60] for line in text.splitlines() if not re.fullmatch(r"\d \d+ x{3000}", line)]
        self.assertEqual((torn, text.count("\n")), ([], 8 * 500))

    def test_lines_of_8_ranks_are_not_torn_in_a_pipe(self):
        self.check_whole(self.run_job("-n", 8, sys.executable, "-c", self.PIECES).out)

    def test_lines_of_8_ranks_are_not_torn_in_a_file(self):
        with tempfile.TemporaryFile("w+") as file:
            subprocess.run([OPTIONS.mpiexec, "-n", "8", sys.executable, "-c", self.PIECES], stdout=file, check=True)
            file.seek(0)
            self.check_whole(file.read())

    def test_lines_are_not_torn_though_nobody_reads_for_a_while(self):
        job = Job("-n", 8, sys.executable, "-c", self.PIECES)
        time.sleep(3)
        job.finish()
        self.check_whole(job.out)

    def test_ranks_of_a_terminal_have_one_and_their_lines_are_not_torn(self):
        script = "import sys; assert sys.stdout.isatty(); " + "exec(%r)" % self.PIECES
        self.check_whole(self.in_terminal("-n", 8, sys.executable, "-c", script).replace("\r\n", "\n"))

    def test_a_prompt_without_a_newline_is_shown_before_the_answer(self):
        script = ("import os, sys, time\n"
                  "if os.environ['ANTIPHON_RANK'] == '0':\n  print('how many? ', end='', flush=True)\n"
                  "  print('so many:', sys.stdin.readline())")
        job = Job("-n", 3, sys.executable, "-c", script, stdin=subprocess.PIPE)
        self.assertEqual(job.process.stdout.read(10), "how many? ")
        job.process.stdin.write("3\n")
        job.process.stdin.flush()
        job.finish()
        self.check(job, 0)

    def test_both_streams_of_a_rank_keep_their_order_where_they_are_one(self):
        script = "for i in $(seq 200); do echo $i; echo e$i >&2; done"
        joined = subprocess.run([OPTIONS.mpiexec, "-l", "-n", "3", "sh", "-c", script], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, check=True)
        for rank in range(3):
            mine = [line for line in joined.stdout.splitlines() if line.startswith(f"[{rank}] ")]
            self.assertEqual(mine, [f"[{rank}] {text}" for i in range(1, 201) for text in (i, f"e{i}")])

    def test_both_streams_of_a_rank_that_is_alone_keep_their_order_in_one_file(self):
        with tempfile.TemporaryFile("w+") as file:
            subprocess.run([OPTIONS.mpiexec, "-n", "1", "sh", "-c", "for i in $(seq 200); do echo $i; echo e$i >&2; done"],
                           stdout=file, stderr=file, check=True)
            file.seek(0)
            self.assertEqual(file.read().split(), [text for i in range(1, 201) for text in (str(i), f"e{i}")])

    def test_a_reader_that_goes_away_ends_ranks_that_print_without_a_word(self):
        for words in (["-n", 1, "yes"], ["-n", 2, "yes"], ["-l", "-n", 2, "yes"]):
            with self.subTest(words=words):
                job = Job(*words)
                job.process.stdout.readline()
                job.process.stdout.close()
                self.assertEqual((job.process.wait(PATIENCE_S), job.process.stderr.read()), (128 + signal.SIGPIPE, ""))
                job.process.stderr.close()
                self.assertEqual(job.survivors(), [])

    def test_a_reader_that_comes_late_finds_all_that_was_printed(self):
        job = Job("-n", 2, "seq", 50000)
        time.sleep(3.5)
        self.assertEqual(job.finish().out.count("\n"), 2 * 50000)
        self.check(job, 0)

    def test_a_signal_ends_the_wait_for_a_reader(self):
        job = Job("-n", 2, "seq", 50000)
        job.process.stdout.readline()
        while any(words.startswith("seq") for _, words in marked_processes(job.mark)):
            time.sleep(0.01)
        job.process.terminate()
        self.assertEqual(job.process.wait(PATIENCE_S), 128 + signal.SIGTERM)
        job.finish()

    def lose(self, redirection, *words):
        """20 times over; what comes of it."""
        quoted = ["sh", "-c", f'exec "$@" {redirection}', "sh", OPTIONS.mpiexec, *map(str, words)]
        run = lambda _: subprocess.run(quoted, capture_output=True, text=True)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            return {(done.returncode, done.stdout, done.stderr) for done in pool.map(run, range(20))}

    def test_output_that_cannot_be_written_is_told_and_fails_on_1_2_and_4_ranks(self):
        for redirection, why in ((">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")):
            for ranks in (1, 2, 4):
                with self.subTest(redirection=redirection, ranks=ranks):
                    told = f"mpiexec: cannot write output: {why} (stdout)\n"
                    self.assertEqual(self.lose(redirection, "-n", ranks, "echo", "hello"), {(1, "", told)})
                    self.assertEqual(self.lose("2" + redirection, "-n", ranks, "sh", "-c", "echo hello >&2"), {(1, "", "")})

    def test_output_that_cannot_be_written_hides_no_failure_of_a_rank_and_no_output_is_none(self):
        fails = self.lose(">/dev/full", "-n", 2, "sh", "-c", "echo hello; exit 3")
        self.assertEqual({status for status, _, _ in fails}, {3})
        self.assertEqual(self.lose(">&-", "-n", 2, "true"), {(0, "", "")})
        self.assertEqual(self.lose(">&- 2>&-", "-n", 2, "true"), {(0, "", "")})
        self.assertEqual({status for status, _, _ in self.lose(">&- 2>&-", "-n", 2, "echo", "hello")}, {1})

    def test_of_mpiexec_that_cannot_be_written_is_told(self):
        for option in ("--help", "--version"):
            self.assertEqual(self.lose(">/dev/full", option),
                             {(1, "", "mpiexec: cannot write output: No space left on device (stdout)\n")})

    def test_ranks_go_on_though_what_they_print_is_lost(self):
        with tempfile.TemporaryDirectory() as folder:
            self.lose(">/dev/full", "-n", 2, "-wdir", folder, "sh", "-c", "echo hello; echo more; echo 1 >>result")
            self.assertEqual((pathlib.Path(folder) / "result").read_text(), "1\n" * 40)


class Bootstrap(LaunchTest):
    def test_ranks_find_themselves_in_the_job(self):
        job = self.run_job("-n", 2, OPTIONS.rank, "show", ":", "-n", 1, OPTIONS.rank, "show")
        self.check(job, 0)
        seen = [dict(word.split("=") for word in line.split()) for line in sorted(job.out.splitlines())]
        self.assertEqual([(s["rank"], s["size"], s["app"], s["apps"]) for s in seen],
                         [("0", "3", "0", "2"), ("1", "3", "0", "2"), ("2", "3", "1", "2")])

    def test_ranks_find_what_all_others_let_them_know(self):
        for ranks in (1, 2, 3, 5, 8, 16):
            with self.subTest(ranks=ranks):
                job = self.run_job("-n", ranks, OPTIONS.rank, "exchange")
                self.check(job, 0)
                self.assertEqual(job.out, "found all\n" * ranks)

    def test_more_ranks_than_cpus_are_marked_and_not_bound(self):
        ranks = len(os.sched_getaffinity(0)) + 1
        job = self.run_job("-n", ranks, OPTIONS.rank, "show")
        self.check(job, 0)
        self.assertEqual(job.out.count("oversubscribed=1 bound=0"), ranks)

    def test_two_jobs_at_once_are_not_bound_to_the_same_cpus(self):
        bound = lambda job: set(re.findall(r"is bound to cpu (\S+)", job.err))
        first = Job("--report-bindings", "-n", 2, "sleep", 60)
        first.wait_for_processes(2 + 2)
        second = self.run_job("--report-bindings", "-n", 2, "true")
        first.process.terminate()
        first.finish()
        self.assertEqual(bound(first) & bound(second), set())

    def test_a_program_without_a_launcher_is_a_job_of_one(self):
        clean = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "LD_LIBRARY_PATH")}
        run = lambda **more: subprocess.run([OPTIONS.rank, "show"], env={**clean, **more}, capture_output=True, text=True)
        self.assertIn("rank=0 size=1 ", run().stdout)
        foreign = run(PMI_RANK="1", PMI_SIZE="4")
        self.assertEqual((foreign.returncode, foreign.stdout), (1, ""))
        self.assertRegex(foreign.stderr, r"PMI_RANK=1.*Antiphon's mpiexec.*ANTIPHON_SINGLETON=1")
        self.assertIn("size=1 ", run(PMI_RANK="1", PMI_SIZE="4", ANTIPHON_SINGLETON="1").stdout)

    def test_wrappers_may_close_descriptors_in_between(self):
        job = self.run_job("-n", 2, sys.executable, "-c",
                           f"import subprocess; subprocess.run([{OPTIONS.rank!r}, 'show'], check=True)")
        self.check(job, 0)
        self.assertEqual(job.out.count("size=2"), 2)

    def test_wrappers_may_use_the_number_of_the_segment_for_files_of_their_own(self):
        swap = "n = int(os.environ['ANTIPHON_JOB_FD']); os.dup2(os.open('/etc/passwd', os.O_RDONLY), n)"
        job = self.run_job("-n", 3, sys.executable, "-c",
                           f"import os; {swap}; os.execv({OPTIONS.rank!r}, [{OPTIONS.rank!r}, 'show'])")
        self.check(job, 0)
        self.assertEqual(job.out.count("size=3"), 3)

    def test_a_number_under_which_nobody_has_the_segment_is_told(self):
        job = self.run_job("-n", 1, "sh", "-c", f"exec 9</etc/passwd; ANTIPHON_JOB_FD=9 exec {OPTIONS.rank} show")
        self.check(job, 1, r"ANTIPHON_JOB_FD=9 is not the job segment of this process: it (is too short|holds something else)")

    def test_a_second_process_cannot_be_the_same_rank(self):
        job = self.run_job("-n", 1, "sh", "-c", f"{OPTIONS.rank} show; {OPTIONS.rank} show")
        self.check(job, 1, r"rank 0 of this job was process \d+, which has ended")

    def test_a_rank_may_start_a_job_of_its_own(self):
        job = self.run_job("-n", 2, OPTIONS.mpiexec, "-n", 3, OPTIONS.rank, "show")
        self.check(job, 0)
        self.assertEqual(job.out.count("size=3"), 6)


class Signals(LaunchTest):
    # A rank, a rank behind a shell, and a process that has left the rank's session.
    PROGRAM = ["-n", "3", "sh", "-c", "setsid sleep 60 & sleep 60; true"]
    PROCESSES = 2 + 3 * 3

    def start(self, **options):
        job = Job(*self.PROGRAM, **options)
        job.wait_for_processes(self.PROCESSES)
        return job

    def test_that_ask_mpiexec_to_end_end_everything(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            job = self.start()
            job.process.send_signal(number)
            job.finish()
            self.assertIn(job.status, (128 + number, -number))
            self.assertRegex(job.err, f"mpiexec: stopped by signal {int(number)} ")
            self.assertEqual(job.survivors(0.2), [])

    def test_to_the_whole_foreground_group_end_everything(self):
        job = self.start(start_new_session=True)
        os.killpg(job.process.pid, signal.SIGINT)
        job.finish()
        self.assertIn(job.status, (130, -2))
        self.assertEqual(job.survivors(0.2), [])

    def test_that_reach_a_rank_before_they_reach_mpiexec_are_not_told_as_its_death(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            job = Job("-n", 2, "sleep", 60)
            os.kill(job.wait_for_processes(2, that_run="sleep")[0], number)
            job.process.send_signal(number)
            job.finish()
            self.assertRegex(job.err, f"^mpiexec: stopped by signal {int(number)} .*\n$")
            self.assertEqual(job.survivors(0.2), [])

    def test_for_the_user_reach_the_ranks(self):
        job = Job("-n", 2, "sh", "-c", "trap 'echo got it; exit 0' USR1; echo ready; while :; do sleep 0.05; done")
        for _ in range(2):
            job.process.stdout.readline()
        job.process.send_signal(signal.SIGUSR1)
        job.finish()
        self.assertEqual((job.status, job.out.count("got it")), (0, 2))

    def test_kill_of_either_half_of_mpiexec_leaves_nothing(self):
        for half in ("front", "supervisor"):
            job = self.start()
            pid = job.process.pid
            if half == "supervisor":
                children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
                pid = int(children.stdout)
            os.kill(pid, signal.SIGKILL)
            job.finish()
            self.assertIn(job.status, (137, -9), half)
            self.assertEqual(job.survivors(), [], half)

    def test_kill_of_both_halves_at_once_leaves_no_rank(self):
        job = Job("-n", 3, "sleep", 60)
        job.wait_for_processes(2 + 3)
        supervisor = int(subprocess.run(["ps", "-o", "pid=", "--ppid", str(job.process.pid)], capture_output=True,
                                        text=True).stdout)
        os.kill(job.process.pid, signal.SIGSTOP)  # so that it cannot clean up in between
        os.kill(supervisor, signal.SIGKILL)
        os.kill(job.process.pid, signal.SIGKILL)
        job.finish()
        self.assertEqual(job.survivors(), [])

    def test_kill_at_a_random_moment_leaves_nothing(self):
        seed = int(os.environ.get("LAUNCH_TEST_SEED", random.randrange(10**9)))
        rng = random.Random(seed)
        for attempt in range(OPTIONS.kills):
            job = Job(*self.PROGRAM)
            time.sleep(rng.uniform(0, 0.04))
            victims = [job.process.pid]
            if rng.random() < 0.5:  # a rank, or anything else of the job
                victims = [pid for pid, _ in marked_processes(job.mark)] or victims
            try:
                os.kill(rng.choice(victims), signal.SIGKILL)
            except ProcessLookupError:
                pass
            if job.process.poll() is None and victims != [job.process.pid]:
                job.process.send_signal(signal.SIGTERM)  # what was killed need not have been a rank
            job.finish()
            self.assertEqual(job.survivors(), [], f"attempt {attempt}, LAUNCH_TEST_SEED={seed}")

    def test_background_processes_end_with_the_ranks(self):
        job = self.run_job("-n", 2, "sh", "-c", "setsid sleep 60 & exit 0")
        self.check(job, 0)
        self.assertLess(job.took, SOON_S)


class Hangs(LaunchTest):
    CASES = {
        "a cycle": (["-n", 3], ["1", "2", "0"], 123,
                    [r"rank 0 waits in MPI_Recv from rank 1, tag 7, 64 bytes, MPI_COMM_WORLD, for \d+\.\d s",
                     r"cycle: rank 0 waits for rank 1, which waits for rank 2, which waits for rank 0"]),
        "a rank that finished": (["-n", 2], ["!", "0"], 123,
                                 [r"rank 1 waits for rank 0, which has (called MPI_Finalize|exited)"]),
        "any rank": (["-n", 1], ["-"], 123, [r"rank 0 waits in MPI_Recv from any rank"]),
        "one rank computes": (["-n", 3, "--timeout", 6], ["1", "2", "."], 124, [r"did not end within 6 s"]),
        "not wanted": (["-n", 2, "--timeout", 6, "--on-hang", "ignore"], ["1", "0"], 124, [r"did not end within 6 s"]),
    }

    def test_are_explained_within_ten_seconds_and_nothing_else_is(self):
        def run(case):
            options, peers, *_ = self.CASES[case]
            return Job("--on-hang", "abort", *options, OPTIONS.rank, "wait-for", *peers).finish()

        with concurrent.futures.ThreadPoolExecutor() as pool:
            jobs = dict(zip(self.CASES, pool.map(run, self.CASES)))
        for case, job in jobs.items():
            with self.subTest(case):
                _, _, status, messages = self.CASES[case]
                self.check(job, status, *messages)
                self.assertEqual("no progress" in job.err, status == 123)
                self.assertLess(job.took, 10)
                self.assertEqual(job.survivors(0.2), [])


    def test_are_not_seen_in_a_job_whose_rank_1_of_3_is_stopped_and_goes_on_later(self):
        job = Job("--on-hang", "abort", "--set", "hang_look_every=100ms", "--set", "hang_looks=3", "-n", 3, OPTIONS.rank,
                  "stop-and-finish")
        told = [job.process.stderr.readline() for _ in range(4)]
        stopped = re.search(r"rank 1 is stopped by a signal, as SIGSTOP or Ctrl-Z \(kill -CONT (\d+) lets", "".join(told))
        if stopped:
            time.sleep(1)
            os.kill(int(stopped[1]), signal.SIGCONT)
        job.finish()
        self.assertTrue(stopped, told)
        self.assertEqual(told[0], "mpiexec: no progress until what is stopped goes on\n")
        self.assertEqual((job.status, job.err), (0, ""))
        self.assertEqual(job.survivors(0.2), [])


class Settings(LaunchTest):
    def shown(self, *words, **options):
        job = self.run_job(*words, **options)
        self.check(job, 0)
        return sorted(job.out.splitlines())

    def test_come_from_the_command_line_and_from_the_environment_in_this_order(self):
        show = [OPTIONS.rank, "settings", "wait_looks", "wait_turn", "kill_after"]
        self.assertEqual(self.shown("-n", 2, *show), [f"rank={r} wait_looks=2000 wait_turn=200us kill_after=500ms" for r in (0, 1)])
        self.assertEqual(self.shown("-n", 2, "--set", "wait_looks=5", "--set=WAIT-TURN=1ms", *show,
                                    environment={"ANTIPHON_WAIT_LOOKS": "7", "ANTIPHON_KILL_AFTER": "2s"}),
                         [f"rank={r} wait_looks=5 wait_turn=1ms kill_after=2s" for r in (0, 1)])

    def test_reach_ranks_behind_a_clean_environment(self):
        clean = 'exec env -i ANTIPHON_RANK=$ANTIPHON_RANK ANTIPHON_JOB_FD=$ANTIPHON_JOB_FD "$@"'
        self.assertEqual(self.shown("-n", 2, "--set", "wait_looks=5", "sh", "-c", clean, "sh", OPTIONS.rank, "settings",
                                    "wait_looks", environment={"ANTIPHON_WAIT_LOOKS": "7"}),
                         [f"rank={r} wait_looks=5" for r in (0, 1)])

    def test_of_one_process_may_differ_where_not_all_must_agree(self):
        show = [OPTIONS.rank, "settings", "wait_looks"]
        self.assertEqual(self.shown("-n", 1, "-x", "ANTIPHON_WAIT_LOOKS=3", *show, ":", "-n", 1, *show),
                         ["rank=0 wait_looks=3", "rank=1 wait_looks=2000"])

    def test_reach_a_job_that_a_rank_starts(self):
        self.assertEqual(self.shown("--set", "wait_looks=5", OPTIONS.mpiexec, OPTIONS.rank, "settings", "wait_looks"),
                         ["rank=0 wait_looks=5"])

    def test_that_are_wrong_are_told_before_anything_starts(self):
        lists = r"\(antiphon-info --settings lists all\)"
        for words, environment, message in (
            (["--set", "wait_lokos=1"], {}, rf"--set: 'wait_lokos' is not a setting, did you mean 'wait_looks'\? {lists}"),
            (["--set", "qqqqqqqqqqqqqqqq=1"], {}, rf"--set: 'qqqqqqqqqqqqqqqq' is not a setting {lists}"),
            (["--set", "wait_looks=many"], {}, r"--set: wait_looks='many' is not a number \(valid: 0 to 1000000000\)"),
            (["--set", "wait_looks=-1"], {}, r"--set: wait_looks='-1' is out of range \(valid: 0 to 1000000000\)"),
            (["--set", "wait_looks"], {}, r"--set: 'wait_looks' has no value \(valid: --set NAME=VALUE\)"),
            (["--set", "wait_turn=3"], {}, r"--set: wait_turn='3' is not a time \(valid: 0 to 10s, as in 200us, 1ms or 2s\)"),
            ([], {"ANTIPHON_WAIT_LOKOS": "1"}, rf"'ANTIPHON_WAIT_LOKOS' is not a setting, did you mean 'ANTIPHON_WAIT_LOOKS'\? {lists}"),
            ([], {"ANTIPHON_WAIT_LOOKS": "x"}, r"ANTIPHON_WAIT_LOOKS='x' is not a number \(valid: "),
            ([], {"ANTIPHON_HANG_LOOKS": "0"}, r"ANTIPHON_HANG_LOOKS='0' is out of range \(valid: 1 to "),
            (["-x", "ANTIPHON_WAIT_LOOKS=x"], {}, r"ANTIPHON_WAIT_LOOKS='x' is not a number \(valid: "),
            (["-genv", "ANTIPHON_NOTHING", "x"], {}, rf"'ANTIPHON_NOTHING' is not a setting"),
        ):
            with self.subTest(words=words, environment=environment):
                job = self.run_job(*words, "echo", "started", environment=environment)
                self.check(job, 2, rf"^mpiexec: {message}")
                self.assertEqual((job.out, len(job.err.splitlines())), ("", 1))

    def test_of_the_environment_are_checked_without_mpiexec_too(self):
        wrong = subprocess.run([OPTIONS.rank, "settings"], env={"ANTIPHON_WAIT_LOOKS": "x"}, capture_output=True, text=True)
        self.assertEqual((wrong.returncode, wrong.stdout), (1, ""))
        self.assertRegex(wrong.stderr, r"ANTIPHON_WAIT_LOOKS='x' is not a number \(valid: ")

    def test_say_how_soon_a_hang_is_reported(self):
        took = {}
        for every in ("100ms", "2s"):
            job = self.run_job("--on-hang", "abort", "--set", f"hang_look_every={every}", "--set", "hang_looks=2", "-n", 2,
                               OPTIONS.rank, "wait-for", 1, 0)
            self.check(job, 123, "no progress")
            took[every] = job.took
        self.assertGreater(took["2s"], took["100ms"] + 1)
        job = self.run_job("--timeout", 6, "--set", "hang_looks=20", "-n", 2, OPTIONS.rank, "wait-for", 1, 0)
        self.check(job, 124)
        self.assertNotIn("every rank waits", job.err)

    def test_say_how_long_ranks_may_go_on_that_were_asked_to_end(self):
        # Rank 0 fails when rank 1 has its trap, not before.
        program = ("if [ $ANTIPHON_RANK = 0 ]; then until [ -e trapped ]; do sleep 0.02; done; exit 9; fi; "
                   "trap '' TERM; touch trapped; while :; do sleep 0.1; done")
        took = {}
        for time in ("0", "3s"):
            with tempfile.TemporaryDirectory() as folder:
                job = self.run_job("--set", f"kill_after={time}", "-n", 2, "-wdir", folder, "sh", "-c", program)
            self.check(job, 9)
            took[time] = job.took
        self.assertGreater(took["3s"], took["0"] + 1)


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
