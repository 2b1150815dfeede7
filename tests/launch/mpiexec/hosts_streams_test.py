#!/usr/bin/env python3
"""Standard input, output and error of ranks on several hosts.

Usage: see cases.py.
"""
import re
import signal
import subprocess
import sys
import time
import unittest

from cases import Job, OPTIONS, PATIENCE_S
from host_cases import HostsTest, TWO
from streams_test import PIECES


class HostsStreams(HostsTest):
    def test_input_goes_to_rank_0_wherever_it_runs_and_ends(self):
        text = "".join(f"line {i}\n" for i in range(300_000))
        job = self.run_job(*TWO, "sh", "-c", "cat", stdin=text)
        self.check(job, 0)
        self.assertEqual(job.out, text)

    def test_input_that_rank_0_does_not_read_does_not_keep_the_job(self):
        job = self.run_job(*TWO, "true", stdin="x" * 1_000_000)
        self.check(job, 0)

    def test_input_that_never_comes_does_not_keep_the_job(self):
        job = Job(*TWO, "true", stdin=subprocess.PIPE)
        self.assertEqual(job.process.wait(PATIENCE_S), 0)
        job.finish()

    def test_labels_and_both_streams_arrive_whole(self):
        job = self.run_job("-l", *TWO, "sh", "-c", "printf a; sleep 0.1; echo b; printf tail; echo e >&2")
        self.check(job, 0)
        self.assertEqual(sorted(job.out.splitlines()), sorted(f"[{r}] {t}" for r in range(4) for t in ("ab", "tail")))
        self.assertEqual(sorted(job.err.splitlines()), sorted(f"[{r}] e" for r in range(4)))

    def check_whole(self, text):
        torn = [line[:60] for line in text.splitlines() if not re.fullmatch(r"\d \d+ x{3000}", line)]
        self.assertEqual((torn, text.count("\n")), ([], 4 * 500))

    def test_lines_are_not_torn_even_if_nobody_reads_for_a_while(self):
        job = Job(*TWO, sys.executable, "-c", PIECES)
        time.sleep(2)
        self.check_whole(job.finish().out)

    def test_a_reader_that_goes_away_ends_ranks_that_print_without_a_word(self):
        job = Job(*TWO, "yes")
        job.process.stdout.readline()
        job.process.stdout.close()
        self.assertEqual((job.process.wait(PATIENCE_S), job.process.stderr.read()), (128 + signal.SIGPIPE, ""))
        job.process.stderr.close()
        self.assertEqual(job.survivors(), [])

    def test_ranks_of_a_terminal_have_one(self):
        self.assertEqual(self.in_terminal(*TWO, sys.executable, "-c", "import sys; print(sys.stdout.isatty())"), "True\r\n" * 4)


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
