#!/usr/bin/env python3
"""Standard input, output and error of the ranks.

Usage: see cases.py.
"""
import concurrent.futures
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from cases import Job, LaunchTest, OPTIONS, PATIENCE_S, marked_processes

# A program that writes lines of 3,000 bytes, each in two pieces.
PIECES = ("import os\nr = os.environ['ANTIPHON_RANK']\n"
          "for i in range(500):\n  os.write(1, f'{r} {i} '.encode())\n  os.write(1, ('x' * 3000 + '\\n').encode())")


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

    def check_whole(self, text):
        torn = [line[:60] for line in text.splitlines() if not re.fullmatch(r"\d \d+ x{3000}", line)]
        self.assertEqual((torn, text.count("\n")), ([], 8 * 500))

    def test_lines_of_8_ranks_are_not_torn_in_a_pipe(self):
        self.check_whole(self.run_job("-n", 8, sys.executable, "-c", PIECES).out)

    def test_lines_of_8_ranks_are_not_torn_in_a_file(self):
        with tempfile.TemporaryFile("w+") as file:
            subprocess.run([OPTIONS.mpiexec, "-n", "8", sys.executable, "-c", PIECES], stdout=file, check=True)
            file.seek(0)
            self.check_whole(file.read())

    def test_lines_are_not_torn_though_nobody_reads_for_a_while(self):
        job = Job("-n", 8, sys.executable, "-c", PIECES)
        time.sleep(3)
        job.finish()
        self.check_whole(job.out)

    def test_ranks_of_a_terminal_have_one_and_their_lines_are_not_torn(self):
        script = "import sys; assert sys.stdout.isatty(); " + "exec(%r)" % PIECES
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


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
