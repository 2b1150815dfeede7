#!/usr/bin/env python3
"""How a job over several hosts ends, and what mpiexec says of it.

Usage: see cases.py.
"""
import unittest

from cases import OPTIONS, SOON_S
from host_cases import HostsTest, TWO


class HostsEnds(HostsTest):
    def test_of_a_rank_that_fails_name_its_host(self):
        job = self.run_job(*TWO, "sh", "-c", "[ $ANTIPHON_RANK = 3 ] && exit 7; exec sleep 30")
        self.check(job, 7, r"^mpiexec: rank 3 \(pid \d+, host b\) exited with status 7\n$")
        self.assertLess(job.took, SOON_S)

    def test_by_a_signal_name_the_host(self):
        job = self.run_job(*TWO, "sh", "-c", "[ $ANTIPHON_RANK = 2 ] && kill -SEGV $$; exec sleep 30")
        self.check(job, 139, r"^mpiexec: rank 2 \(pid \d+, host b\) died by signal 11 \(Segmentation fault\)\n$")

    def test_come_even_if_ranks_of_all_hosts_ignore_SIGTERM(self):
        job = self.run_job(*TWO, "sh", "-c", "trap '' TERM; [ $ANTIPHON_RANK = 1 ] && sleep 0.3 && exit 9; while :; do sleep 1; done")
        self.check(job, 9)
        self.assertLess(job.took, SOON_S)

    def test_of_an_abort_on_either_host_end_all(self):
        for rank, host in ((1, "a"), (2, "b")):
            job = self.run_job(*TWO, OPTIONS.rank, "abort", rank, 5)
            self.check(job, 5, rf"^mpiexec: rank {rank} \(pid \d+, host {host}\) aborted the job with code 5: as the test wants\n$")

    def test_without_finalize_are_told_when_ranks_of_another_host_go_on(self):
        program = f"[ $ANTIPHON_RANK -lt 2 ] && exec {OPTIONS.rank} init; exec {OPTIONS.rank} join-and-sleep 30"
        job = self.run_job(*TWO, "sh", "-c", program)
        self.check(job, 1, r"rank [01] \(pid \d+, host a\) exited without calling MPI_Finalize while others go on")

    def test_after_finalize_do_not_end_ranks_of_another_host(self):
        program = f"[ $ANTIPHON_RANK = 3 ] && exec {OPTIONS.rank} finalize 7; exec {OPTIONS.rank} join-and-sleep 2"
        job = self.run_job(*TWO, "sh", "-c", program)
        self.check(job, 7, r"^mpiexec: rank 3 \(pid \d+, host b\) exited with status 7\n$")
        self.assertGreater(job.took, 1.9)

    def test_leave_no_process_of_any_host(self):
        job = self.run_job(*TWO, "sh", "-c", "setsid sleep 60 & exit 0")
        self.check(job, 0)
        self.assertLess(job.took, SOON_S)

    def test_by_the_clock_say_who_waits_on_all_hosts(self):
        job = self.run_job("--timeout", 1, "--on-hang", "ignore", *TWO, OPTIONS.rank, "wait-for", 1, 2, 3, 0)
        self.check(job, 124, r"did not end within 1 s", r"rank 0 waits in MPI_Recv from rank 1", r"rank 3 waits in MPI_Recv from rank 0")


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
