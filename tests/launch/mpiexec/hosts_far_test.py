#!/usr/bin/env python3
"""Hosts whose processes mpiexec cannot end by signals, and slow ways to them.

Usage: see cases.py.
"""
import os
import pathlib
import signal
import tempfile
import time
import unittest

from cases import Job, OPTIONS, SOON_S
from far_machine import FarMachine
from host_cases import HostsTest, LOST_S

CHAIN = ["--set", "launch_fan_out=1", "--host", "n0,n1"]


class HostsFar(HostsTest):
    def test_run_ranks_as_near_ones_do(self):
        with FarMachine() as far:
            for words in (["--host", "n0,n1:2"], [*CHAIN, "-n", 3]):
                job = self.run_job(*far.words, *words, "sh", "-c", "echo $ANTIPHON_RANK", environment=far.environment)
                self.check(job, 0)
                self.assertEqual((sorted(job.out.split()), job.err), (["0", "1", "2"], ""))

    def test_are_started_by_commands_that_v_shows(self):
        with FarMachine() as far:
            job = self.run_job("-v", *far.words, *CHAIN, "true", environment=far.environment)
        for host in ("n0", "n1"):
            self.check(job, 0, rf"(?m)^mpiexec: host {host}: starting '{far.words[1]} {host} 'exec \S+/antiphon-node''$")

    def test_where_the_daemon_stops_end_their_ranks_themselves(self):
        with FarMachine() as far:
            job = Job(*far.words, "--host", "n0,n1", "sh", "-c", "setsid sleep 60 & sleep 60; true", environment=far.environment)
            self.wait_for(job, "sleep", 4)
            begun = time.monotonic()
            os.kill(self.processes(job, "antiphon-node")[0], signal.SIGSTOP)
            job.finish()
            self.check(job, 1, r"^mpiexec: lost host n[01]: it has not answered for 5 s\n$")
            self.assertLess(time.monotonic() - begun, LOST_S)
            self.assertEqual(job.survivors(LOST_S), [])

    def test_that_mpiexec_left_without_a_word_end_their_ranks_themselves(self):
        with FarMachine() as far:
            job = Job(*far.words, *CHAIN, "sh", "-c", "setsid sleep 60 & sleep 60; true", environment=far.environment)
            self.wait_for(job, "sleep", 4)
            job.process.kill()
            job.finish()
            self.assertEqual(job.survivors(), [])

    def test_that_are_reached_through_a_slow_one_are_not_lost(self):
        """Output waits on the way for longer than a host may be silent."""
        environment = {"LAUNCH_TEST_SLOW": "n0 400000"}
        program = "[ $ANTIPHON_RANK = 0 ] || exec head -c 5000000 /dev/zero"
        with FarMachine() as far:
            job = self.run_job(*far.words, *CHAIN, "sh", "-c", program, environment={**far.environment, **environment})
        self.check(job, 0)
        self.assertEqual((job.out.count("\0"), job.err), (5_000_000, ""))

    def test_that_do_not_answer_do_not_keep_a_job_that_is_interrupted(self):
        with tempfile.TemporaryDirectory() as folder:
            silent = pathlib.Path(folder) / "silent"
            silent.write_text("#!/bin/sh\nsleep 60\n")
            silent.chmod(0o755)
            job = Job("--launcher-exec", silent, "--host", "n0,n1", "true")
            self.wait_for(job, "sleep", 2)
            begun = time.monotonic()
            job.process.send_signal(signal.SIGINT)
            job.finish()
        self.assertRegex(job.err, "^mpiexec: stopped by signal 2 .*\n$")
        self.assertLess(time.monotonic() - begun, SOON_S / 2)
        self.assertEqual(job.survivors(0.2), [])

    def test_have_devices_of_their_own_where_their_environment_says_so(self):
        with FarMachine() as far:
            show = [*far.words, "--host", "n0", "sh", "-c", "echo $CUDA_VISIBLE_DEVICES $TMPDIR $DISPLAY"]
            here = {**far.environment, "CUDA_VISIBLE_DEVICES": "0,1", "TMPDIR": "/tmp", "DISPLAY": "desk:0"}
            self.assertEqual(self.run_job(*show, environment=here).out, "0,1 /tmp desk:0\n")
            there = {**here, "LAUNCH_TEST_THERE": "CUDA_VISIBLE_DEVICES=2,3"}
            self.assertEqual(self.run_job(*show, environment=there).out, "2,3 /tmp desk:0\n")
            self.assertEqual(self.run_job("-x", "CUDA_VISIBLE_DEVICES=7", *show, environment=there).out, "7 /tmp desk:0\n")


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
