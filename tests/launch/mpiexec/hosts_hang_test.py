#!/usr/bin/env python3
"""A hang over several hosts is explained.

Usage: see cases.py.
"""
import unittest

from cases import OPTIONS, SOON_S
from host_cases import HostsTest, TWO


class HostsHang(HostsTest):
    def test_is_explained_over_all_hosts(self):
        job = self.run_job("--on-hang", "abort", "--set", "hang_look_every=200ms", *TWO, OPTIONS.rank, "wait-for", 2, 0, 3, 1)
        self.check(job, 123, r"rank 2 waits in MPI_Recv from rank 3, tag 7, 64 bytes, MPI_COMM_WORLD, for \d\.\d s",
                   r"cycle: rank 0 waits for rank 2, which waits for rank 3, which waits for rank 1, which waits for rank 0")
        self.assertLess(job.took, SOON_S)

    def test_is_not_seen_while_a_rank_of_one_host_computes(self):
        job = self.run_job("--on-hang", "abort", "--set", "hang_look_every=100ms", "--timeout", 3, *TWO, OPTIONS.rank, "wait-for",
                           1, 2, 3, ".")
        self.check(job, 124)
        self.assertNotIn("no progress", job.err)


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
