#!/usr/bin/env python3
"""How a job ends whose program leaves MPI's scope: `exits_test.py MPIEXEC PROGRAM`."""
import subprocess
import sys
import unittest

MPIEXEC, PROGRAM = sys.argv[1:3]


def run(way: str, ranks: int) -> subprocess.CompletedProcess:
    return subprocess.run([MPIEXEC, "-n", str(ranks), PROGRAM, way], capture_output=True, text=True, timeout=50)


class Exits(unittest.TestCase):
    def test_a_program_ends_well_whatever_it_has_not_freed(self):
        for ranks in (1, 2, 3, 5):
            job = run("well", ranks)
            self.assertEqual((job.returncode, job.stdout), (0, f"{ranks}\n" * ranks), job.stderr)

    def test_an_exception_that_leaves_the_environment_ends_the_job(self):
        for ranks in (1, 2, 3, 5):
            job = run("exception", ranks)
            self.assertEqual(job.returncode, 1, job.stderr)
            self.assertIn("an exception leaves the scope of antiphon::environment", job.stderr)
            self.assertNotIn("went on", job.stdout)

    def test_an_operation_that_throws_ends_the_job_with_its_sentence(self):
        for ranks in (2, 3, 5):
            job = run("operation", ranks)
            self.assertNotEqual(job.returncode, 0)
            self.assertIn("operands over the limit", job.stderr)
            self.assertNotIn("went on", job.stdout)

    def test_an_error_that_nobody_asked_for_ends_the_program_with_its_sentence(self):
        job = run("unheard-error", 1)
        self.assertNotEqual(job.returncode, 0)
        self.assertIn("MPI_ERR_TRUNCATE", job.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
