#!/usr/bin/env python3
"""Signals, and parts of a job over several hosts that die.

Usage: see cases.py.
"""
import os
import pathlib
import random
import signal
import time
import unittest

from cases import Job, OPTIONS, PATIENCE_S, marked_processes
from host_cases import HOSTS, HostsTest, LOST_S, TWO


class HostsSignals(HostsTest):
    PROGRAM = [*TWO, "sh", "-c", "setsid sleep 60 & sleep 60; true"]
    SLEEPS = 2 * 4

    def start(self, **options):
        job = Job(*self.PROGRAM, **options)
        self.wait_for(job, "sleep", self.SLEEPS)
        return job

    def test_that_ask_mpiexec_to_end_end_everything(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            job = self.start()
            job.process.send_signal(number)
            job.finish()
            self.assertIn(job.status, (128 + number, -number))
            self.assertRegex(job.err, f"^mpiexec: stopped by signal {int(number)} .*\n$")
            self.assertEqual(job.survivors(0.2), [])

    def test_to_the_whole_foreground_group_end_everything(self):
        job = self.start(start_new_session=True)
        os.killpg(job.process.pid, signal.SIGINT)
        job.finish()
        self.assertIn(job.status, (130, -2))
        self.assertRegex(job.err, "^mpiexec: stopped by signal 2 .*\n$")
        self.assertEqual(job.survivors(0.2), [])

    def test_for_the_user_reach_the_ranks_of_all_hosts(self):
        job = Job(*TWO, "sh", "-c", "trap 'echo got it; exit 0' USR1; echo ready; while :; do sleep 0.05; done")
        for _ in range(4):
            job.process.stdout.readline()
        job.process.send_signal(signal.SIGUSR1)
        job.finish()
        self.assertEqual((job.status, job.out.count("got it")), (0, 4))

    def state(self, pid):
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]

    def test_to_stop_and_continue_from_the_terminal_stop_and_continue_the_ranks_of_all_hosts(self):
        """As on one host; for longer than a host may be silent."""
        chain = ["--set", "launch_fan_out=1", *HOSTS, "a,b:2,c"]
        for words in (["-n", 4], TWO, chain):
            job = Job(*words, "sleep", 60, process_group=0)
            ranks = self.wait_for(job, "sleep", 4)
            os.killpg(job.process.pid, signal.SIGTSTP)
            everybody = [job.process.pid, *self.processes(job, "antiphon-superv"), *ranks]
            deadline = time.monotonic() + PATIENCE_S
            while {self.state(pid) for pid in everybody} != {"T"} and time.monotonic() < deadline:
                time.sleep(0.01)
            self.assertEqual([self.state(pid) for pid in everybody], ["T"] * 6)
            time.sleep(9 if words is chain else 0.5)
            self.assertEqual([self.state(pid) for pid in everybody], ["T"] * 6)
            os.killpg(job.process.pid, signal.SIGCONT)
            time.sleep(2)
            self.assertNotIn("T", [self.state(pid) for pid in everybody])
            job.process.send_signal(signal.SIGTERM)
            job.finish()
            self.check(job, 128 + signal.SIGTERM, "^mpiexec: stopped by signal 15 .*\n$")
            self.assertEqual(job.survivors(0.2), [])

    def test_kill_of_mpiexec_leaves_nothing_on_any_host(self):
        for half in ("mpiexec", "antiphon-superv"):
            job = self.start()
            pid = job.process.pid if half == "mpiexec" else self.processes(job, half)[0]
            os.kill(pid, signal.SIGKILL)
            job.finish()
            self.assertIn(job.status, (137, -9), half)
            self.assertEqual(job.survivors(), [], half)

    def test_kill_of_a_daemon_or_of_the_parent_of_ranks_ends_the_job_and_names_the_host(self):
        for part in ("antiphon-node", "antiphon-ranks"):
            with self.subTest(part):
                job = self.start()
                os.kill(self.processes(job, part)[1], signal.SIGKILL)
                job.finish()
                self.check(job, 1, r"^mpiexec: lost host [ab]: its connection has ended")
                self.assertLess(job.took, LOST_S)
                self.assertEqual(job.survivors(), [])

    def test_a_host_that_does_not_answer_is_lost_within_ten_seconds(self):
        job = self.start()
        begun = time.monotonic()
        os.kill(self.processes(job, "antiphon-node")[0], signal.SIGSTOP)
        job.finish()
        self.check(job, 1, r"^mpiexec: lost host [ab]: it has not answered for 5 s")
        self.assertLess(time.monotonic() - begun, LOST_S)
        self.assertEqual(job.survivors(), [])

    def test_kill_at_a_random_moment_leaves_nothing(self):
        seed = int(os.environ.get("LAUNCH_TEST_SEED", random.randrange(10**9)))
        rng = random.Random(seed)
        for attempt in range(OPTIONS.kills):
            job = Job("--set", f"launch_fan_out={rng.choice(['auto', 1])}", *self.PROGRAM)
            time.sleep(rng.uniform(0, 0.08))
            victims = [pid for pid, _ in marked_processes(job.mark)] or [job.process.pid]
            try:
                os.kill(rng.choice(victims), signal.SIGKILL)
            except ProcessLookupError:
                pass
            time.sleep(0.05)
            if job.process.poll() is None:
                job.process.send_signal(signal.SIGTERM)  # what was killed need not have been a rank
            job.finish()
            self.assertEqual(job.survivors(), [], f"attempt {attempt}, LAUNCH_TEST_SEED={seed}")
            self.assertLess(job.took, LOST_S, f"attempt {attempt}, LAUNCH_TEST_SEED={seed}")


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
