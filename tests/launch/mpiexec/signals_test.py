#!/usr/bin/env python3
"""Signals to mpiexec and to ranks, deaths of mpiexec, and that nothing is ever left behind.

Usage: see cases.py.
"""
import os
import random
import signal
import subprocess
import time
import unittest

from cases import Job, LaunchTest, OPTIONS, SOON_S, marked_processes


class Signals(LaunchTest):
    # A rank, a rank behind a shell, and a process that has left the rank's session.
    PROGRAM = ["-n", "3", "sh", "-c", "setsid sleep 60 & sleep 60; true"]
    PROCESSES = 2 + 3 * 3

    def start(self, **options):
        job = Job(*self.PROGRAM, **options)
        job.wait_for_processes(self.PROCESSES)
        return job

    def test_that_ask_mpiexec_to_end_end_everything(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            job = self.start()
            job.process.send_signal(number)
            job.finish()
            self.assertIn(job.status, (128 + number, -number))
            self.assertRegex(job.err, f"mpiexec: stopped by signal {int(number)} ")
            self.assertEqual(job.survivors(0.2), [])

    def test_to_the_whole_foreground_group_end_everything(self):
        job = self.start(start_new_session=True)
        os.killpg(job.process.pid, signal.SIGINT)
        job.finish()
        self.assertIn(job.status, (130, -2))
        self.assertEqual(job.survivors(0.2), [])

    def test_that_reach_a_rank_before_they_reach_mpiexec_are_not_told_as_its_death(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            job = Job("-n", 2, "sleep", 60)
            os.kill(job.wait_for_processes(2, that_run="sleep")[0], number)
            job.process.send_signal(number)
            job.finish()
            self.assertRegex(job.err, f"^mpiexec: stopped by signal {int(number)} .*\n$")
            self.assertEqual(job.survivors(0.2), [])

    def test_for_the_user_reach_the_ranks(self):
        job = Job("-n", 2, "sh", "-c", "trap 'echo got it; exit 0' USR1; echo ready; while :; do sleep 0.05; done")
        for _ in range(2):
            job.process.stdout.readline()
        job.process.send_signal(signal.SIGUSR1)
        job.finish()
        self.assertEqual((job.status, job.out.count("got it")), (0, 2))

    def test_kill_of_either_half_of_mpiexec_leaves_nothing(self):
        for half in ("front", "supervisor"):
            job = self.start()
            pid = job.process.pid
            if half == "supervisor":
                children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
                pid = int(children.stdout)
            os.kill(pid, signal.SIGKILL)
            job.finish()
            self.assertIn(job.status, (137, -9), half)
            self.assertEqual(job.survivors(), [], half)

    def test_kill_of_both_halves_at_once_leaves_no_rank(self):
        job = Job("-n", 3, "sleep", 60)
        job.wait_for_processes(2 + 3)
        supervisor = int(subprocess.run(["ps", "-o", "pid=", "--ppid", str(job.process.pid)], capture_output=True,
                                        text=True).stdout)
        os.kill(job.process.pid, signal.SIGSTOP)  # so that it cannot clean up in between
        os.kill(supervisor, signal.SIGKILL)
        os.kill(job.process.pid, signal.SIGKILL)
        job.finish()
        self.assertEqual(job.survivors(), [])

    def test_kill_at_a_random_moment_leaves_nothing(self):
        seed = int(os.environ.get("LAUNCH_TEST_SEED", random.randrange(10**9)))
        rng = random.Random(seed)
        for attempt in range(OPTIONS.kills):
            job = Job(*self.PROGRAM)
            time.sleep(rng.uniform(0, 0.04))
            victims = [job.process.pid]
            if rng.random() < 0.5:  # a rank, or anything else of the job
                victims = [pid for pid, _ in marked_processes(job.mark)] or victims
            try:
                os.kill(rng.choice(victims), signal.SIGKILL)
            except ProcessLookupError:
                pass
            if job.process.poll() is None and victims != [job.process.pid]:
                job.process.send_signal(signal.SIGTERM)  # what was killed need not have been a rank
            job.finish()
            self.assertEqual(job.survivors(), [], f"attempt {attempt}, LAUNCH_TEST_SEED={seed}")

    def test_background_processes_end_with_the_ranks(self):
        job = self.run_job("-n", 2, "sh", "-c", "setsid sleep 60 & exit 0")
        self.check(job, 0)
        self.assertLess(job.took, SOON_S)


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
