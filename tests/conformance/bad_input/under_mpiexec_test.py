#!/usr/bin/env python3
"""One rank of several makes a mistake: the job ends with one line that says what was wrong and who did it, or, where
errors return, goes on. 2, 3, 7 and 16 ranks.

under_mpiexec_test.py --mpiexec PATH --rank PATH [unittest arguments]
"""
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

import options  # noqa: E402

OPTIONS = options.parse(__doc__, mpiexec=str, rank=str)
RANKS = (2, 3, 7, 16)


def mpiexec(ranks, *words):
    return subprocess.run([OPTIONS.mpiexec, "-n", str(ranks), OPTIONS.rank, *words], capture_output=True, text=True,
                          timeout=60)


class Mistakes(unittest.TestCase):
    # words, error class, its name, what the message says besides (N: the number of ranks)
    CASES = (
        (("dest",), 6, "MPI_ERR_RANK",
         r"MPI_Send on MPI_COMM_WORLD: MPI_ERR_RANK: dest=N is not a rank of MPI_COMM_WORLD, which has N "),
        (("truncate", "5"), 15, "MPI_ERR_TRUNCATE",
         r"MPI_Recv on MPI_COMM_WORLD: MPI_ERR_TRUNCATE: .*5 bytes from rank 0 with tag 3.* holds 4 bytes"),
        (("truncate", "40000"), 15, "MPI_ERR_TRUNCATE", r"40000 bytes from rank 0.* holds 4 bytes"),
        (("truncate", "3000000"), 15, "MPI_ERR_TRUNCATE", r"3000000 bytes from rank 0.* holds 4 bytes"),
        (("bcast",), 15, "MPI_ERR_TRUNCATE", r"MPI_Bcast on MPI_COMM_WORLD: MPI_ERR_TRUNCATE: .*8 bytes"),
    )

    def test_end_the_job_with_one_line(self):
        for ranks in RANKS:
            for words, error_class, _, message in self.CASES:
                with self.subTest(ranks=ranks, words=words):
                    done = mpiexec(ranks, *words, "fatal")
                    self.assertEqual(done.returncode, error_class, done.stderr)
                    self.assertRegex(done.stderr, r"^mpiexec: rank 1 \(pid \d+, host \S+\) aborted the job with code "
                                     + str(error_class) + ": .*" + message.replace("N ", f"{ranks} "))
                    self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_come_back_where_errors_return_and_the_job_goes_on(self):
        for ranks in RANKS:
            for words, _, name, _ in self.CASES:
                with self.subTest(ranks=ranks, words=words):
                    done = mpiexec(ranks, *words, "return")
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertIn(f"{name}: ", done.stdout)

    def test_of_all_ranks_that_disagree_are_compared(self):
        done = subprocess.run([OPTIONS.mpiexec, "--on-hang", "abort", "-n", "3", OPTIONS.rank, "roots", "fatal"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 123, done.stderr)
        self.assertIn("mpiexec: ranks of MPI_COMM_WORLD disagree about their collective number 1:\n"
                      "mpiexec:   MPI_Bcast with root 0, 40 bytes: rank 2\n"
                      "mpiexec:   MPI_Bcast with root 1, 40 bytes: rank 0\n"
                      "mpiexec:   MPI_Bcast with root 2, 40 bytes: rank 1\n", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
