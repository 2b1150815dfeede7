#!/usr/bin/env python3
"""Jobs under a launcher that speaks PMI-1, and under one that does not keep to it.

pmi_jobs_test.py --rank PATH --program PATH [unittest arguments]

--rank is the fake_rank program, which is the bootstrap alone. --program is one that uses the library, and ends with status 0.
"""
import contextlib
import os
import pathlib
import random
import re
import signal
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

import options  # noqa: E402
from pmi_launcher import PmiLauncher, can_pretend_hosts, marked_processes  # noqa: E402

OPTIONS = options.parse(__doc__, rank=str, program=str)
NEED_HOSTS = unittest.skipUnless(can_pretend_hosts(), "host names cannot be changed here (unshare --uts)")


class JobsTest(unittest.TestCase):
    def run_job(self, *command, ranks, **how):
        job = PmiLauncher(command, ranks, **how).start().finish()
        self.assertEqual(job.survivors(), {})
        return job

    def check(self, job):
        self.assertEqual((set(job.statuses), job.err), ({0}, ""), job.out)


class OneNode(JobsTest):
    def test_ranks_find_themselves_in_the_job(self):
        for by in ("fd", "port"):
            for ranks in (2, 3, 5, 7, 8, 16):
                with self.subTest(by=by, ranks=ranks):
                    job = self.run_job(OPTIONS.rank, "show", ranks=ranks, by=by)
                    self.check(job)
                    self.assertEqual(sorted(int(r) for r in re.findall(rf"rank=(\d+) size={ranks} ", job.out)),
                                     list(range(ranks)))
                    self.assertEqual([line for _, line in job.asked].count("cmd=finalize"), ranks)

    def test_one_rank_at_a_port_is_a_job_of_one(self):
        job = self.run_job(OPTIONS.rank, "show", ranks=1, by="port")
        self.check(job)
        self.assertIn("rank=0 size=1 ", job.out)

    def test_one_rank_with_a_descriptor_does_not_ask(self):
        job = self.run_job(OPTIONS.rank, "show", ranks=1)
        self.check(job)
        self.assertEqual((job.asked, job.out[:14]), ([], "rank=0 size=1 "))

    def test_ranks_find_in_shared_memory_what_all_others_let_them_know(self):
        for ranks in (2, 3, 5, 8, 16):
            with self.subTest(ranks=ranks):
                job = self.run_job(OPTIONS.rank, "exchange", ranks=ranks)
                self.check(job)
                self.assertEqual(job.out, "found all\n" * ranks)

    def test_all_ranks_get_the_settings_of_rank_0(self):
        job = self.run_job(OPTIONS.rank, "settings", "wait_looks", ranks=3, environment={"ANTIPHON_WAIT_LOOKS": "17"})
        self.check(job)
        self.assertEqual(job.out.count("wait_looks=17"), 3)

    def test_a_rank_puts_little_and_waits_once(self):
        job = self.run_job(OPTIONS.rank, "show", ranks=5)
        asked = [line.split(" ")[0] for rank, line in job.asked if rank == 3]
        self.assertEqual((asked.count("cmd=put"), asked.count("cmd=get"), asked.count("cmd=barrier_in")), (1, 5, 1))

    def test_abort_tells_the_launcher_its_code(self):
        for code, status in ((7, 7), (256, 1), (-1, 255)):
            with self.subTest(code=code):
                job = self.run_job(OPTIONS.rank, "abort", 1, code, ranks=3)
                self.assertEqual(job.aborted, status)
                self.assertIn(f"rank 1 (pid ", job.err)
                self.assertIn(f"aborted the job with code {code}: as the test wants", job.err)

    def test_a_rank_that_dies_leaves_nothing(self):
        for ranks in (2, 5):
            job = PmiLauncher([OPTIONS.rank, "join-and-sleep", 100], ranks).start()
            wait_for(lambda: [line for _, line in job.asked].count("cmd=barrier_in") == ranks)
            job.processes[-1].kill()
            job.finish()
            self.assertEqual(job.survivors(), {})

    def test_a_program_that_a_rank_starts_is_not_taken_for_the_rank(self):
        for by, sentence in (("fd", r"PMI_FD=\d+ is not a socket of this process"),
                             ("port", r"another process is this rank of the job already.*\(PMI_PORT=\S+ PMI_ID=0\)")):
            with self.subTest(by=by):
                job = self.run_job(OPTIONS.rank, "start", f"{OPTIONS.rank} show", ranks=2, by=by)
                self.assertEqual((job.statuses, job.out), ([0, 0], ""), job.err)
                self.assertRegex(job.err, sentence + ".*set ANTIPHON_SINGLETON=1")

    def test_a_program_that_uses_the_library(self):
        for by in ("fd", "port"):
            for ranks in (2, 5):
                with self.subTest(by=by, ranks=ranks):
                    self.check(self.run_job(OPTIONS.program, ranks=ranks, by=by))


class Misbehaviour(JobsTest):
    QUESTIONS = ("init", "get_maxes", "get_my_kvsname", "get_appnum", "put", "barrier_in", "get")

    def misbehave(self, question, answer, **how):
        """Rank 1 gets another answer to this question."""
        def answers(rank, line, usual):
            return answer if rank == 1 and line.split(" ")[0] == f"cmd={question}" else usual
        return self.run_job(OPTIONS.rank, "show", ranks=3, answer=answers, **how)

    def test_a_wrong_answer_ends_the_job_with_a_sentence(self):
        for question in self.QUESTIONS:
            with self.subTest(question=question):
                job = self.misbehave(question, "cmd=nonsense\n")
                self.assertNotIn(None, job.statuses)
                self.assertNotEqual(job.statuses[1], 0)
                self.assertRegex(job.err, rf"the PMI launcher of this process \(PMI_FD=\d+\) answered 'cmd=nonsense' "
                                          rf"to 'cmd={question}")

    def test_a_launcher_that_vanishes_is_a_sentence(self):
        for question in self.QUESTIONS:
            with self.subTest(question=question):
                job = self.misbehave(question, None)
                self.assertNotIn(None, job.statuses)
                self.assertRegex(job.err, rf"did not answer 'cmd={question}.*It has ended, or lost this process")

    def test_a_rank_that_cannot_join_ends_the_others_who_wait_for_it(self):
        job = self.misbehave("get", "cmd=get_result rc=0 value=nonsense\n", keep_others=True)
        self.assertEqual(job.aborted, 1)
        self.assertNotIn(None, job.statuses)
        self.assertIn("antiphon: rank 1 cannot join its job: rank 0 of this job has published 'nonsense'", job.err)

    def test_ranks_of_another_version_are_named(self):
        def answers(rank, line, usual):
            return re.sub(r"value=[^,]*,", "value=9.9.9.1.0,", usual) if line.endswith("antiphon.card.2") else usual
        job = self.run_job(OPTIONS.rank, "show", ranks=3, answer=answers)
        self.assertNotEqual(set(job.statuses), {0})
        self.assertRegex(job.err, r"rank 0 on \S+ uses Antiphon \S+ and rank 2 on \S+ uses 9\.9\.9\.1\.0")


@NEED_HOSTS
class SeveralNodes(JobsTest):
    def test_a_program_that_uses_the_library(self):
        for hosts, ranks in ((2, 2), (2, 3), (2, 8), (3, 7)):
            with self.subTest(hosts=hosts, ranks=ranks):
                self.check(self.run_job(OPTIONS.program, ranks=ranks, hosts=hosts))

    def test_the_broker_is_told_no_secret_by_command_line_or_environment_and_ends_with_the_ranks(self):
        job = PmiLauncher(["sh", "-c", f"{OPTIONS.program} && exec sleep 100"], 4, hosts=2).start()
        brokers = wait_for(lambda: brokers_of(job, 2))
        wait_for(lambda: any(key.startswith("antiphon.broker") for key in job.values))
        secret = job.values["antiphon.secret.0"]
        for pid in brokers:
            for file in ("cmdline", "environ"):
                self.assertNotIn(secret.encode(), pathlib.Path(f"/proc/{pid}/{file}").read_bytes())
        wait_for(lambda: not brokers_of(job, 1))  # while the shells around the ranks still sleep
        job.kill()
        job.finish()
        job.survivors()

    def test_ranks_that_are_killed_leave_no_broker(self):
        job = PmiLauncher([OPTIONS.program], 4, hosts=2).start()
        wait_for(lambda: brokers_of(job, 2) or None not in [p.poll() for p in job.processes])
        job.kill()
        job.finish()
        self.assertEqual(job.survivors(), {})

    def test_whoever_is_killed_at_whatever_moment_the_job_ends_and_leaves_nothing(self):
        draw = random.Random(4711)
        for round_ in range(20):
            job = PmiLauncher([OPTIONS.program], 6, hosts=2).start()
            time.sleep(draw.uniform(0, 0.3))
            with contextlib.suppress(ProcessLookupError):
                os.kill(draw.choice([p.pid for p in job.processes] + (brokers_of(job, 1) or [])), signal.SIGKILL)
            job.finish()
            self.assertNotIn(None, job.statuses, f"round {round_}: {job.err}")
            self.assertEqual(job.survivors(), {}, f"round {round_}")

    def test_an_installation_without_the_broker_program_is_a_sentence(self):
        job = self.run_job(OPTIONS.rank, "show", ranks=2, hosts=2)  # which has none beside itself
        self.assertNotEqual(set(job.statuses), {0})
        self.assertRegex(job.err, "cannot start the connection broker of this node, which a job of several nodes needs: "
                                  "there is no program .*/antiphon-broker.*is the installation complete")


def brokers_of(job, at_least):
    """None where there are fewer."""
    found = [pid for pid, words in marked_processes(job.mark).items() if words == "antiphon-broker"]
    return found if len(found) >= at_least else None


def wait_for(what):
    deadline = time.monotonic() + 60
    while not (found := what()):
        if time.monotonic() > deadline:
            raise AssertionError("waited in vain")
        time.sleep(0.005)
    return found


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
