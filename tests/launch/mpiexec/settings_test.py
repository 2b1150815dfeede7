#!/usr/bin/env python3
"""Settings, given on the command line and in the environment.

Usage: see cases.py.
"""
import subprocess
import tempfile
import unittest

from cases import LaunchTest, OPTIONS


class Settings(LaunchTest):
    def shown(self, *words, **options):
        job = self.run_job(*words, **options)
        self.check(job, 0)
        return sorted(job.out.splitlines())

    def test_come_from_the_command_line_and_from_the_environment_in_this_order(self):
        show = [OPTIONS.rank, "settings", "wait_looks", "wait_turn", "kill_after"]
        self.assertEqual(self.shown("-n", 2, *show), [f"rank={r} wait_looks=2000 wait_turn=200us kill_after=500ms" for r in (0, 1)])
        self.assertEqual(self.shown("-n", 2, "--set", "wait_looks=5", "--set=WAIT-TURN=1ms", *show,
                                    environment={"ANTIPHON_WAIT_LOOKS": "7", "ANTIPHON_KILL_AFTER": "2s"}),
                         [f"rank={r} wait_looks=5 wait_turn=1ms kill_after=2s" for r in (0, 1)])

    def test_reach_ranks_behind_a_clean_environment(self):
        clean = 'exec env -i ANTIPHON_RANK=$ANTIPHON_RANK ANTIPHON_JOB_FD=$ANTIPHON_JOB_FD "$@"'
        self.assertEqual(self.shown("-n", 2, "--set", "wait_looks=5", "sh", "-c", clean, "sh", OPTIONS.rank, "settings",
                                    "wait_looks", environment={"ANTIPHON_WAIT_LOOKS": "7"}),
                         [f"rank={r} wait_looks=5" for r in (0, 1)])

    def test_of_one_process_may_differ_where_not_all_must_agree(self):
        show = [OPTIONS.rank, "settings", "wait_looks"]
        self.assertEqual(self.shown("-n", 1, "-x", "ANTIPHON_WAIT_LOOKS=3", *show, ":", "-n", 1, *show),
                         ["rank=0 wait_looks=3", "rank=1 wait_looks=2000"])

    def test_reach_a_job_that_a_rank_starts(self):
        self.assertEqual(self.shown("--set", "wait_looks=5", OPTIONS.mpiexec, OPTIONS.rank, "settings", "wait_looks"),
                         ["rank=0 wait_looks=5"])

    def test_that_are_wrong_are_told_before_anything_starts(self):
        lists = r"\(antiphon-info --settings lists all\)"
        for words, environment, message in (
            (["--set", "wait_lokos=1"], {}, rf"--set: 'wait_lokos' is not a setting, did you mean 'wait_looks'\? {lists}"),
            (["--set", "qqqqqqqqqqqqqqqq=1"], {}, rf"--set: 'qqqqqqqqqqqqqqqq' is not a setting {lists}"),
            (["--set", "wait_looks=many"], {}, r"--set: wait_looks='many' is not a number \(valid: 0 to 1000000000\)"),
            (["--set", "wait_looks=-1"], {}, r"--set: wait_looks='-1' is out of range \(valid: 0 to 1000000000\)"),
            (["--set", "wait_looks"], {}, r"--set: 'wait_looks' has no value \(valid: --set NAME=VALUE\)"),
            (["--set", "wait_turn=3"], {}, r"--set: wait_turn='3' is not a time \(valid: 0 to 10s, as in 200us, 1ms or 2s\)"),
            ([], {"ANTIPHON_WAIT_LOKOS": "1"}, rf"'ANTIPHON_WAIT_LOKOS' is not a setting, did you mean 'ANTIPHON_WAIT_LOOKS'\? {lists}"),
            ([], {"ANTIPHON_WAIT_LOOKS": "x"}, r"ANTIPHON_WAIT_LOOKS='x' is not a number \(valid: "),
            ([], {"ANTIPHON_HANG_LOOKS": "0"}, r"ANTIPHON_HANG_LOOKS='0' is out of range \(valid: 1 to "),
            (["-x", "ANTIPHON_WAIT_LOOKS=x"], {}, r"ANTIPHON_WAIT_LOOKS='x' is not a number \(valid: "),
            (["-genv", "ANTIPHON_NOTHING", "x"], {}, rf"'ANTIPHON_NOTHING' is not a setting"),
        ):
            with self.subTest(words=words, environment=environment):
                job = self.run_job(*words, "echo", "started", environment=environment)
                self.check(job, 2, rf"^mpiexec: {message}")
                self.assertEqual((job.out, len(job.err.splitlines())), ("", 1))

    def test_of_the_environment_are_checked_without_mpiexec_too(self):
        wrong = subprocess.run([OPTIONS.rank, "settings"], env={"ANTIPHON_WAIT_LOOKS": "x"}, capture_output=True, text=True)
        self.assertEqual((wrong.returncode, wrong.stdout), (1, ""))
        self.assertRegex(wrong.stderr, r"ANTIPHON_WAIT_LOOKS='x' is not a number \(valid: ")

    def test_say_how_soon_a_hang_is_reported(self):
        took = {}
        for every in ("100ms", "2s"):
            job = self.run_job("--on-hang", "abort", "--set", f"hang_look_every={every}", "--set", "hang_looks=2", "-n", 2,
                               OPTIONS.rank, "wait-for", 1, 0)
            self.check(job, 123, "no progress")
            took[every] = job.took
        self.assertGreater(took["2s"], took["100ms"] + 1)
        job = self.run_job("--timeout", 6, "--set", "hang_looks=20", "-n", 2, OPTIONS.rank, "wait-for", 1, 0)
        self.check(job, 124)
        self.assertNotIn("every rank waits", job.err)

    def test_say_how_long_ranks_may_go_on_that_were_asked_to_end(self):
        # Rank 0 fails when rank 1 has its trap, not before.
        program = ("if [ $ANTIPHON_RANK = 0 ]; then until [ -e trapped ]; do sleep 0.02; done; exit 9; fi; "
                   "trap '' TERM; touch trapped; while :; do sleep 0.1; done")
        took = {}
        for time in ("0", "3s"):
            with tempfile.TemporaryDirectory() as folder:
                job = self.run_job("--set", f"kill_after={time}", "-n", 2, "-wdir", folder, "sh", "-c", program)
            self.check(job, 9)
            took[time] = job.took
        self.assertGreater(took["3s"], took["0"] + 1)


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
