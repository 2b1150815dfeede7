#!/usr/bin/env python3
"""What a rank finds when it starts, and what mpiexec prepares for it.

Usage: see cases.py.
"""
import os
import re
import subprocess
import sys
import unittest

from cases import Job, LaunchTest, OPTIONS


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


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
