"""The simulator of whole programs: what a rank does to itself stays with it, and what goes wrong is said and replays.

Usage: runner_test.py SIM_RUN ANTICS.so NODES.so
"""
import os
import subprocess
import sys
import unittest

SIM_RUN, ANTICS, NODES = sys.argv[1:4]
os.environ["ASAN_OPTIONS"] = "handle_segv=0:" + os.environ.get("ASAN_OPTIONS", "")  # a signal is to be seen as one


def run(*arguments: str, program: str = ANTICS, ranks: int = 3,
        options: tuple[str, ...] = ("--seeds", "1..5")) -> tuple[int, str]:
    done = subprocess.run([SIM_RUN, "--ranks", str(ranks), *options, program, *arguments], capture_output=True,
                          text=True, timeout=100)
    return done.returncode, done.stdout + done.stderr


class Ranks(unittest.TestCase):
    def assert_passes(self, *arguments: str, **options) -> str:
        status, text = run(*arguments, **options)
        self.assertEqual(status, 0, text)
        return text

    def assert_fails(self, wanted: str, *arguments: str, **options) -> None:
        status, text = run(*arguments, **options)
        self.assertEqual(status, 1, text)
        self.assertIn(wanted, text)
        self.assertIn("---- to replay: sim_run --ranks", text)

    def test_have_globals_of_their_own(self):
        self.assert_passes("globals")

    def test_that_cannot_go_on_say_who_waits_for_whom(self):
        for rank in range(3):
            self.assert_fails(f"rank {rank} waits in MPI_Recv for rank {(rank + 1) % 3}, tag 5, MPI_COMM_WORLD, 4 bytes",
                              "deadlock")

    def test_end_the_simulated_job_when_one_aborts(self):
        self.assert_fails("rank 2 aborted with code 7: MPI_Abort was called on MPI_COMM_WORLD", "abort")

    def test_end_the_simulated_job_when_an_error_is_fatal(self):
        self.assert_fails("rank 2 aborted with code 6: MPI_Send on MPI_COMM_WORLD: MPI_ERR_RANK", "fatal error")

    def test_that_exit_in_the_midst_are_found(self):
        self.assert_fails("rank 2 ended with status 3 and without MPI_Finalize", "exit")

    def test_that_exit_at_the_end_leave_the_others_alone(self):
        self.assert_fails("rank 2 ended with status 4\n", "status")

    def test_that_crash_are_named(self):
        self.assert_fails("rank 2 died of signal 11", "crash")

    def test_sleep_in_virtual_time(self):
        self.assert_passes("sleep")

    def test_may_wait_for_the_clock(self):
        self.assert_passes("clock")

    def test_that_test_in_a_loop_let_others_go_on(self):
        self.assert_passes("test")

    def test_print_to_streams_of_their_own(self):
        text = self.assert_passes("halves", options=("--seed", "1", "--show-output"))
        for rank in range(3):
            self.assertIn(f"---- rank {rank} printed\none half and the other of {rank}\n", text)

    def test_do_the_same_for_the_same_seed_and_something_else_for_others(self):
        def seen(seed: int) -> str:
            return self.assert_passes("order", ranks=8, options=("--seed", str(seed), "--show-output"))

        self.assertEqual([seen(seed) for seed in range(1, 6)], [seen(seed) for seed in range(1, 6)])
        self.assertGreater(len({seen(seed) for seed in range(1, 6)}), 1)

    def test_that_print_anything_unexpected_fail(self):
        self.assert_fails("the output is another one than expected", "order",
                          options=("--seed", "1", "--expect", " No Errors"))

    def test_are_refused_conditions_that_no_network_has(self):
        status, text = run(options=("--conditions", "payload=31"))
        self.assertEqual(status, 2)
        self.assertIn("less than 32 bytes", text)

    def test_of_several_nodes_share_memory_within_a_node_and_messages_with_all(self):
        for ranks, nodes in (3, 1), (2, 2), (4, 2), (5, 2), (7, 3):
            with self.subTest(ranks=ranks, nodes=nodes):
                self.assert_passes(str(nodes), program=NODES, ranks=ranks,
                                   options=("--seeds", "1..5", "--nodes", str(nodes)))

    def test_of_several_nodes_that_cannot_go_on_say_on_which_node(self):
        self.assert_fails("rank 1 on node 0 waits in MPI_Recv for rank 2 on node 1, tag 3, MPI_COMM_WORLD, 4 bytes",
                          "2", "hang", program=NODES, ranks=4, options=("--seeds", "1..5", "--nodes", "2"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
