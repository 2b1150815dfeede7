#!/usr/bin/env python3
"""Where ranks run, and what they are given there.

Usage: see cases.py.
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from cases import OPTIONS
from host_cases import HOSTS, HostsTest, TWO


class Hosts(HostsTest):
    def test_of_1_2_3_and_5_give_each_rank_its_number_and_its_output_comes_once(self):
        for hosts in (1, 2, 3, 5):
            for ranks in (hosts, 2 * hosts + 1, 16):
                with self.subTest(hosts=hosts, ranks=ranks):
                    names = ",".join(f"n{i}" for i in range(hosts))
                    job = self.run_job(*HOSTS, names, "-n", ranks, "sh", "-c", "echo $ANTIPHON_RANK/$ANTIPHON_SIZE")
                    self.check(job, 0)
                    self.assertEqual(sorted(job.out.split()), sorted(f"{r}/{ranks}" for r in range(ranks)))
                    self.assertEqual(job.err, "")

    def test_have_segments_of_their_own(self):
        job = self.run_job(*TWO, OPTIONS.rank, "show")
        self.check(job, 0)
        self.assertEqual(sorted(re.findall(r"rank=(\d) size=(\d)", job.out)), [(str(r), "4") for r in range(4)])
        job = self.run_job(*TWO, "sh", "-c", "readlink /proc/self/fd/$ANTIPHON_JOB_FD; stat -Lc %i /proc/self/fd/$ANTIPHON_JOB_FD")
        self.assertEqual(len(set(re.findall(r"(?m)^\d+$", job.out))), 2)

    def test_get_as_many_ranks_as_they_have_slots_where_n_says_nothing(self):
        job = self.run_job("-v", *HOSTS, "a:3,b", "true")
        self.check(job, 0)
        self.assertEqual(re.findall(r"rank (\d) \(pid \d+, host (\w)\)", job.err),
                         [("0", "a"), ("1", "a"), ("2", "a"), ("3", "b")])

    def test_may_differ_from_program_to_program(self):
        job = self.run_job("-v", *HOSTS, "a:2", "echo", "one", ":", "-host", "b", "-n", 1, "echo", "other")
        self.check(job, 0, r"rank 0 \(pid \d+, host a\) runs echo one", r"rank 2 \(pid \d+, host b\) runs echo other")

    def test_give_their_ranks_the_directory_the_variables_and_the_limits_of_mpiexec(self):
        with tempfile.TemporaryDirectory() as folder:
            script = "echo $(pwd) $(umask) $(ulimit -Sc) $A $B"
            limited = ["sh", "-c", 'umask 027; ulimit -Sc 1; cd "$0" && exec "$@"', folder]
            done = subprocess.run([*limited, OPTIONS.mpiexec, *TWO, "-x", "A=a", "sh", "-c", script],
                                  env={**os.environ, "B": "b c"}, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout, f"{folder} 0027 1 a b c\n" * 4)

    def test_keep_what_names_the_machine_and_its_sessions(self):
        job = self.run_job(*TWO, "sh", "-c", "echo x$SSH_CONNECTION", environment={"SSH_CONNECTION": "here"})
        self.assertEqual(job.out, "xhere\n" * 4)  # the daemons run here, and have it from their own environment

    def test_bind_their_ranks_each_for_itself(self):
        job = self.run_job("--report-bindings", *HOSTS, "a,b,c", "true")
        self.check(job, 0)
        self.assertEqual(len(re.findall(r"rank \d is (not bound|bound to cpu \S+ of host [abc])", job.err)), 3)

    def test_that_lack_a_program_or_a_directory_are_named_and_nothing_is_started(self):
        for words, status, message in (
            (["no-such-program"], 127, r"^mpiexec: host [ab]: cannot run 'no-such-program': neither PATH nor .*\n$"),
            (["-wdir", "/no/such/folder", "true"], 2, r"^mpiexec: host [ab]: --wdir: '/no/such/folder' is not a directory\n$"),
            (["true", ":", "./missing"], 127, r"^mpiexec: host [ab]: cannot run './missing': No such file or directory\n$"),
        ):
            with self.subTest(words=words):
                self.check(self.run_job(*TWO, *words), status, message)

    def test_that_the_kernel_refuses_to_run_a_program_on_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "tool"
            program.write_text("#!/no/such/interpreter\n")
            program.chmod(0o755)
            job = self.run_job(*TWO, program)
        self.check(job, 127, rf"^mpiexec: host [ab]: rank \d cannot start '{program}': exec: No such file")


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
