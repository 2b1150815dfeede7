#!/usr/bin/env python3
"""Jobs under the launchers of other MPIs, where they are installed.

real_launchers_test.py --rank PATH --program PATH [unittest arguments]

--rank and --program: as for pmi_jobs_test.py. Exit status 77: there is none of them here.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

import options  # noqa: E402
from pmi_launcher import marked_processes  # noqa: E402

OPTIONS = options.parse(__doc__, rank=str, program=str)
PATIENCE_S = 100
ROOT = ["--allow-run-as-root"] if os.geteuid() == 0 else []


def first_installed(*names):
    """The first of these programs that is not Antiphon's."""
    for name in names:
        path = shutil.which(name)
        if path and "Antiphon" not in subprocess.run([path, "--version"], capture_output=True, text=True).stdout:
            return path
    return None


HYDRA = first_installed("mpiexec.hydra", "mpiexec.mpich")
OPEN_MPI = first_installed("mpirun.openmpi")
PRTERUN = first_installed("prterun")


def survivors(mark):
    """Ranks and brokers that have not ended soon after the launcher, which need not wait for those that it kills."""
    deadline = time.monotonic() + 10
    while left := {pid: words for pid, words in marked_processes(mark).items()
                   if words.startswith((OPTIONS.rank, OPTIONS.program, "antiphon-broker"))}:
        if time.monotonic() > deadline:
            return left
        time.sleep(0.01)
    return {}


class Jobs:
    launcher = ()

    def run_job(self, *words):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("ANTIPHON_")}
        mark = f"REAL_LAUNCHER_MARK={os.getpid()}.{self.id()}"
        name, value = mark.split("=")
        job = subprocess.run([*self.launcher, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=PATIENCE_S, env={**clean, name: value})
        self.assertEqual(survivors(mark), {})
        return job

    def test_ranks_find_themselves_in_the_job(self):
        for ranks in (2, 3, 5, 8):
            with self.subTest(ranks=ranks):
                job = self.run_job("-n", ranks, OPTIONS.rank, "show")
                self.assertEqual(job.returncode, 0, job.stderr)
                self.assertEqual(sorted(int(r) for r in re.findall(rf"rank=(\d+) size={ranks} app=0 ", job.stdout)),
                                 list(range(ranks)))

    def test_ranks_share_memory(self):
        job = self.run_job("-n", 5, OPTIONS.rank, "exchange")
        self.assertEqual((job.returncode, job.stdout), (0, "found all\n" * 5), job.stderr)

    def test_each_program_has_its_number(self):
        job = self.run_job("-n", 1, OPTIONS.rank, "show", ":", "-n", 2, OPTIONS.rank, "show")
        self.assertEqual(job.returncode, 0, job.stderr)
        self.assertEqual(sorted(re.findall(r"rank=(\d) size=3 app=(\d)", job.stdout)),
                         [("0", "0"), ("1", "1"), ("2", "1")])

    def test_one_rank(self):
        job = self.run_job("-n", 1, OPTIONS.rank, "show")
        self.assertEqual(job.returncode, 0, job.stderr)
        self.assertIn("rank=0 size=1 ", job.stdout)

    def test_abort_ends_the_job_with_its_code(self):
        job = self.run_job("-n", 3, OPTIONS.rank, "abort", 1, 7)
        self.assertEqual(job.returncode, 7, job.stderr)
        self.assertIn("aborted the job with code 7: as the test wants", job.stderr)

    def test_a_program_that_uses_the_library(self):
        job = self.run_job("-n", 5, OPTIONS.program)
        self.assertEqual(job.returncode, 0, job.stderr)


@unittest.skipUnless(HYDRA, "MPICH's mpiexec is not installed")
class Hydra(Jobs, unittest.TestCase):
    launcher = (HYDRA,)


@unittest.skipUnless(HYDRA, "MPICH's mpiexec is not installed")
class HydraWithAPort(Jobs, unittest.TestCase):
    launcher = (HYDRA, "-pmi-port")


@unittest.skipUnless(OPEN_MPI, "Open MPI's mpirun is not installed")
class OpenMpi(Jobs, unittest.TestCase):
    launcher = (OPEN_MPI, *ROOT, "--oversubscribe")


@unittest.skipUnless(PRTERUN, "prterun is not installed")
class Prterun(Jobs, unittest.TestCase):
    launcher = (PRTERUN, *ROOT, "--map-by", ":oversubscribe")


class Pmix(unittest.TestCase):
    def run_rank(self, **environment):
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("ANTIPHON_", "PMI", "SLURM_", "OMPI_"))}
        return subprocess.run([OPTIONS.rank, "show"], capture_output=True, text=True, timeout=PATIENCE_S,
                              env={**clean, **environment, "PMIX_NAMESPACE": "a", "PMIX_RANK": "1"})

    def test_without_its_library_is_a_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "libpmix.so.2").write_text("not a library\n" * 100)
            rank = self.run_rank(LD_LIBRARY_PATH=folder)
        self.assertEqual((rank.returncode, rank.stdout), (1, ""))
        self.assertRegex(rank.stderr, r"the PMIx launcher of this process \(PMIX_NAMESPACE=a\) has to be asked through the "
                                      r"library libpmix.so.2, which cannot be used: .*LD_LIBRARY_PATH.*SINGLETON=1")

    @unittest.skipUnless(OPEN_MPI or PRTERUN, "no PMIx is installed")
    def test_without_its_server_is_a_sentence(self):
        rank = self.run_rank()
        self.assertEqual((rank.returncode, rank.stdout), (1, ""))
        self.assertRegex(rank.stderr, r"PMIx_Init (failed|did not find)")


if __name__ == "__main__":
    if not (HYDRA or OPEN_MPI or PRTERUN):
        print("neither MPICH's mpiexec nor Open MPI's mpirun nor prterun is installed")
        sys.exit(77)
    unittest.main(argv=OPTIONS.for_unittest)
