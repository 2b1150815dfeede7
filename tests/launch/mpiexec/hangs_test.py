#!/usr/bin/env python3
"""What mpiexec says about ranks that wait for each other, and that it says nothing about others.

Usage: see cases.py.
"""
import concurrent.futures
import os
import re
import signal
import time
import unittest

from cases import Job, LaunchTest, OPTIONS


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


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
