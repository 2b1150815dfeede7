#!/usr/bin/env python3
"""The exit status of mpiexec, and which failure of a rank it tells.

Usage: see cases.py.
"""
import resource
import tempfile
import unittest

from cases import LaunchTest, OPTIONS, SOON_S


class ExitStatus(LaunchTest):
    def test_is_0_when_every_rank_ends_well(self):
        for ranks in (1, 2, 3, 9):
            job = self.run_job("-n", ranks, "sh", "-c", "echo $ANTIPHON_RANK/$ANTIPHON_SIZE")
            self.check(job, 0)
            self.assertEqual(sorted(job.out.split()), sorted(f"{r}/{ranks}" for r in range(ranks)))
            self.assertEqual(job.err, "")

    def test_is_that_of_a_rank_that_fails(self):
        job = self.run_job("-n", 3, "sh", "-c", "[ $ANTIPHON_RANK = 1 ] && exit 7; exec sleep 30")
        self.check(job, 7, r"^mpiexec: rank 1 \(pid \d+, host \S+\) exited with status 7\n$")
        self.assertLess(job.took, SOON_S)

    def test_is_128_plus_the_signal_that_killed_a_rank(self):
        job = self.run_job("-n", 3, "sh", "-c", "[ $ANTIPHON_RANK = 2 ] && kill -SEGV $$; exec sleep 30")
        self.check(job, 139, r"^mpiexec: rank 2 \(pid \d+, host \S+\) died by signal 11 \(Segmentation fault\)\n$")
        self.assertLess(job.took, SOON_S)

    def test_comes_even_if_the_other_ranks_ignore_SIGTERM(self):
        job = self.run_job("-n", 3, "sh", "-c", "trap '' TERM; [ $ANTIPHON_RANK = 0 ] && sleep 0.3 && exit 9; while :; do sleep 1; done")
        self.check(job, 9)
        self.assertLess(job.took, SOON_S)

    def test_is_the_code_of_an_abort(self):
        for code, status in ((5, 5), (0, 1), (256, 1)):
            job = self.run_job("-n", 3, OPTIONS.rank, "abort", 1, code)
            self.check(job, status, rf"^mpiexec: rank 1 \(pid \d+, host \S+\) aborted the job with code {code}: "
                                    r"as the test wants\n$")

    def test_is_an_error_when_a_rank_deserts_the_others(self):
        program = f"[ $ANTIPHON_RANK = 1 ] && exec {OPTIONS.rank} init; exec {OPTIONS.rank} join-and-sleep 30"
        job = self.run_job("-n", 3, "sh", "-c", program)
        self.check(job, 1, r"rank 1 \(pid \d+, host \S+\) exited without calling MPI_Finalize while others go on")

    def test_is_an_error_when_a_rank_ends_without_init_and_the_others_wait_for_it(self):
        program = f"[ $ANTIPHON_RANK = 1 ] && exit 0; exec {OPTIONS.rank} wait-for 1 - 1"
        job = self.run_job("-n", 3, "sh", "-c", program)
        self.check(job, 1, r"rank 1 \(pid \d+, host \S+\) exited without calling MPI_Init, and the others wait\n",
                   r"rank 0 waits for rank 1, which has exited")

    def test_is_0_when_a_rank_ends_without_init_and_the_others_do_not_wait(self):
        program = f"[ $ANTIPHON_RANK = 1 ] && exit 0; exec {OPTIONS.rank} join-and-sleep 6"
        self.check(self.run_job("-n", 3, "sh", "-c", program), 0)

    def test_of_a_rank_whose_finalize_failed_is_told_as_such(self):
        program = f"[ $ANTIPHON_RANK = 1 ] && exec {OPTIONS.rank} fail-to-finalize; exec {OPTIONS.rank} join-and-sleep 30"
        job = self.run_job("-n", 3, "sh", "-c", program)
        self.check(job, 1, r"rank 1 \(pid \d+, host \S+\) exited after its MPI_Finalize had returned an error while")

    def run_with_rank_1_gone_first(self, rank_1, others):
        """Where the others say $AFTER_RANK_1, they wait until mpiexec has seen its end, and a moment longer."""
        wait = "until [ -e pid ] && ! kill -0 $(cat pid) 2>/dev/null; do sleep 0.02; done; sleep 0.3"
        program = (f"if [ $ANTIPHON_RANK = 1 ]; then echo $$ >begun; mv begun pid; {rank_1}; "
                   f"else {others.replace('$AFTER_RANK_1', wait)}; fi")
        with tempfile.TemporaryDirectory() as folder:
            return self.run_job("-n", 3, "-wdir", folder, "sh", "-c", program)

    def test_is_that_of_a_rank_killed_after_finalize_and_the_others_finish(self):
        job = self.run_with_rank_1_gone_first(f"{OPTIONS.rank} finalize; kill -SEGV $$",
                                              f"{OPTIONS.rank} finalize; $AFTER_RANK_1; echo last line")
        self.check(job, 139, r"^mpiexec: rank 1 \(pid \d+, host \S+\) died by signal 11 \(Segmentation fault\)\n$")
        self.assertEqual(job.out, "last line\n" * 2)

    def test_is_that_of_a_rank_that_fails_after_finalize_and_the_others_finish(self):
        job = self.run_with_rank_1_gone_first(f"exec {OPTIONS.rank} finalize 7",
                                              f"{OPTIONS.rank} finalize; $AFTER_RANK_1; echo last line; exit 8")
        self.check(job, 7, r"^mpiexec: rank 1 \(pid \d+, host \S+\) exited with status 7\n$")
        self.assertEqual(job.out, "last line\n" * 2)

    def test_is_0_when_a_rank_finalizes_earlier_than_the_others(self):
        program = f"[ $ANTIPHON_RANK = 1 ] && exec {OPTIONS.rank} finalize; exec {OPTIONS.rank} join-and-sleep 2"
        self.check(self.run_job("-n", 3, "sh", "-c", program), 0)

    def test_is_124_after_a_timeout(self):
        job = self.run_job("--timeout", 0.3, "-n", 2, "sleep", 30)
        self.check(job, 124, r"mpiexec: the job did not end within 0\.3 s \(--timeout\)")
        self.assertLess(job.took, SOON_S)
        self.check(self.run_job("-n", 2, "sleep", 30, environment={"MPIEXEC_TIMEOUT": "0.3"}), 124)


    def test_costs_no_cpu_to_wait_for(self):
        used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        before = used()
        self.run_job("--timeout", 1, "-n", 3, "sh", "-c", "trap '' TERM; while :; do sleep 1; done")
        # In 1.5 s, of which 0.5 s are patience with ranks that ignore SIGTERM; starting all that costs some.
        self.assertLess(used() - before, 0.5)


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
