#!/usr/bin/env python3
"""Each setting that changes the library is set and its effect seen, mostly in what mpiexec --counters prints.

settings_test.py --build FOLDER --workload PROGRAM --started PROGRAM --recorder LIBRARY [unittest arguments]
"""
import os
import pathlib
import re
import subprocess
import sys
import tomllib
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

import options  # noqa: E402

OPTIONS = options.parse(__doc__, build=pathlib.Path, workload=str, started=str, recorder=str)
ROOT = pathlib.Path(__file__).resolve().parents[3]
CPUS = len(os.sched_getaffinity(0))
CROWD = CPUS + 2  # ranks that must share cores


def run(ranks, workload, *, env=None, **settings):
    """What the job counted: name -> a list of numbers, of each rank (up to 8) or of least and most."""
    words = [OPTIONS.build / "bin" / "mpiexec", "--counters", "-n", ranks]
    for name, value in settings.items():
        words += ["--set", f"{name}={value}"]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ANTIPHON_")}
    done = subprocess.run([*map(str, words), OPTIONS.workload, *map(str, workload)], capture_output=True, text=True,
                          timeout=120, env={**clean, **(env or {})})
    if done.returncode != 0:
        raise AssertionError(f"exit status {done.returncode}: {done.stderr}")
    counted = {}
    for line in done.stderr.splitlines()[1:]:
        name, _, *values = line.removeprefix("mpiexec: ").split()
        counted[name] = [int(value) for value in values if not value.startswith("(")]
    return counted


class Waiting(unittest.TestCase):
    @unittest.skipIf(CPUS < 2, "ranks that share one core never spin")
    def test_wait_looks_says_when_a_rank_sleeps(self):
        self.assertGreater(run(2, ("late", 300), wait_looks=0)["sleeps"][0], 0)
        self.assertEqual(run(2, ("late", 300), wait_looks=10**9).get("sleeps", [0])[0], 0)

    def test_wait_yields_says_how_often_a_core_is_given_away(self):
        at_once = run(CROWD, ("late", 100), wait_yields=0)
        self.assertEqual(sum(at_once.get("yields", [0])), 0)
        self.assertGreater(sum(at_once["sleeps"]), 0)
        never = run(CROWD, ("late", 100), wait_yields=10**7, wait_turn="10s")
        self.assertEqual(sum(never.get("sleeps", [0])), 0)

    def test_wait_turn_says_when_giving_a_core_away_is_enough(self):
        impatient = run(CROWD, ("late", 100), wait_yields=10**7, wait_turn="0")
        self.assertGreater(sum(impatient["yields"]), 0)
        self.assertGreater(sum(impatient["sleeps"]), 0)

    def test_who_lost_a_turn_does_not_give_its_core_away_again_at_once(self):
        counted = run(CROWD, ("stream", 100_000, 300), wait_turn="0")
        self.assertGreater(sum(counted["sleeps"]), 100)
        self.assertLess(sum(counted["yields"]), sum(counted["sleeps"]) / 8)

    def test_progress_thread_says_whether_others_are_served_while_a_rank_computes(self):
        run(2, ("computing", 60_000), progress_thread="on")
        with self.assertRaisesRegex(AssertionError, "nothing came while it computed"):
            run(2, ("computing", 300), progress_thread="off")

    @unittest.skipIf(CPUS < 2, "ranks that share one core give it away")
    def test_a_rank_does_not_give_its_core_away_for_threads_that_there_may_be(self):
        """Where other programs want cores too, each time would cost a time slice."""
        for allowed in ((), ("threads",), ("session",)):
            for thread in ("off", "on"):
                with self.subTest(allowed=allowed, progress_thread=thread):
                    counted = run(2, (*allowed, "stream", 8, 1000), progress_thread=thread)
                    self.assertEqual(sum(counted.get("yields", [0])), 0)

    def test_a_progress_thread_with_nothing_to_do_sleeps(self):
        """A rank that waits a second sleeps a few times, and so does its thread."""
        self.assertLess(sum(run(2, ("late", 1000), progress_thread="on")["sleeps"]), 100)


def difference(name, workload, rank=0, **settings):
    """What ten more messages add to a rank's count."""
    less, more = (run(2, (*workload, count), **settings).get(name, [0, 0])[rank] for count in (1, 11))
    return more - less


class Messages(unittest.TestCase):
    def test_max_payload_says_how_many_packets_a_message_takes(self):
        self.assertEqual(difference("packets_sent", ("stream", 1000)), 10)
        self.assertEqual(difference("packets_sent", ("stream", 1000), max_payload=100), 10 * 10)
        self.assertEqual(difference("packets_sent", ("stream", 1000), max_payload="1M"), 10)

    def test_eager_limit_says_which_messages_the_receiver_is_asked_for(self):
        for size, limit, is_asked in ((1000, "auto", False), (1000, 999, True), (100_000, "auto", True), (100_000, "1M", False)):
            with self.subTest(size=size, limit=limit):
                asked = run(2, ("stream", size, 10), eager_limit=limit).get("long_messages_sent", [0])[0]
                self.assertEqual(asked, 10 if is_asked else 0)

    WAYS = {
        "pipes": "long_messages_in_pipes",
        "streamed_pipes": "long_messages_streamed",
        "direct": "long_messages_copied",
        "packets": "long_messages_in_packets",
    }

    def ways(self, workload, **settings):
        """How many long messages rank 1 received on each way."""
        counted = run(2, workload, **settings)
        return {way: counted.get(counter, [0, 0])[1] for way, counter in self.WAYS.items()}

    def test_bulk_way_says_which_way_long_messages_take(self):
        for way in self.WAYS:
            with self.subTest(way=way):
                taken = self.ways(("stream", 100_000, 40), bulk_way=way)
                self.assertEqual(sum(taken.values()), 40)
                if way == "direct" and taken["packets"] == 40:
                    self.skipTest("this system does not let processes copy from each other")
                self.assertEqual(taken[way], 40)

    def test_bulk_way_says_which_way_long_puts_and_gets_take(self):
        """Rank 1 receives what is put, rank 0 what is got; but what is put in packets, and what is copied alone, is no message."""
        for way in self.WAYS:
            with self.subTest(way=way):
                counted, locked = (run(2, (workload, 100_000, 10), bulk_way=way) for workload in ("puts", "locked"))
                if way == "direct" and "window_copies" not in locked:
                    self.skipTest("this system does not let processes copy from each other")
                self.assertEqual(counted.get(self.WAYS[way]), None if way == "packets" else [10, 10])
                self.assertEqual(locked.get(self.WAYS[way]), None if way in ("packets", "direct") else [10, 10])
                self.assertEqual(locked.get("window_copies", [0, 0]), [20, 0] if way == "direct" else [0, 0])

    def test_many_runs_of_a_window_go_in_a_packet(self):
        """Put, asked for and sent back: so many more packets of rank 0's, and of rank 1's, for 640 runs more."""
        less, more = (run(2, ("runs", 64 + count), bulk_way="packets", counters="on")["packets_sent"] for count in (0, 640))
        self.assertEqual([after - before for before, after in zip(less[:2], more[:2])], [20, 10])

    def test_bulk_way_is_learned_within_a_few_messages_of_a_size(self):
        taken = self.ways(("stream", 1_000_000, 48), bulk_way="auto", pipe_piece=1)
        self.assertEqual(sum(taken.values()), 48)
        if taken["direct"] == 0:
            self.skipTest("this system does not let processes copy from each other")
        self.assertGreaterEqual(taken["direct"], 48 - 16)

    def test_a_peer_that_sleeps_is_woken_when_something_comes_through_a_pipe(self):
        counted = run(2, ("stream", 1_000_000, 50), bulk_way="pipes", pipe_piece=1000, wait_looks=0, wait_yields=0)
        self.assertEqual(counted["long_messages_in_pipes"][1], 50)
        self.assertGreater(sum(counted["sleeps"]), 0)

    def test_pipe_piece_says_how_much_goes_into_a_pipe_at_once(self):
        self.assertEqual(self.ways(("stream", 100_000, 10), bulk_way="pipes", pipe_piece=7)["pipes"], 10)

    def test_two_ranks_that_send_each_other_long_messages_need_a_MiB_each_for_pipes(self):
        """Packets go through rings besides, whose first pages are used."""
        for bytes, count in ((20_000, 200), (500_000, 200), (3_000_000, 40)):
            for way in ("auto", "pipes", "streamed_pipes"):
                run(2, ("exchange", bytes, count, 2 * 1024 + 96), bulk_way=way)

    def test_pipes_of_a_rank_never_have_more_than_4_MiB_and_give_back_what_is_not_used(self):
        """More send at once than can have a MiB each; later one sends to each."""
        for ranks in (3, 7):
            with self.subTest(ranks=ranks):
                run(ranks, ("together", 100_000, 60, 4096 + 512, 1024 + 512), bulk_way="pipes")

    def test_pipe_bytes_says_how_much_they_need_for_pipes(self):
        for pipe_kib in (32, 128):
            taken = run(2, ("exchange", 500_000, 20, 2 * pipe_kib + 48), bulk_way="pipes", pipe_bytes=f"{pipe_kib}K")
            self.assertEqual(taken["long_messages_in_pipes"], [20, 20])
        with self.assertRaisesRegex(AssertionError, "KiB of shared memory, not 304"):
            run(2, ("exchange", 500_000, 20, 304), bulk_way="pipes", pipe_bytes="256K")

    def test_direct_copy_parts_says_into_how_many_parts_they_are_cut(self):
        one, many = (run(2, ("stream", 250_000, 10), bulk_way="direct", direct_copy_parts=n).get("parts_copied") for n in (1, 1000))
        if one is None:
            self.skipTest("this system does not let processes copy from each other")
        self.assertEqual(sum(one), 10)
        self.assertGreater(sum(many), 50)

    def test_messages_that_nobody_has_asked_for_are_counted(self):
        self.assertGreaterEqual(run(2, ("flood", 10, 100))["unexpected_messages"][1], 99)

    def test_messages_wait_their_turn_where_there_is_no_room(self):
        counted = run(2, ("flood", 10_000, 1000))
        self.assertGreater(counted["queued"][0], 0)
        self.assertGreater(counted["full_channels"][0], 0)


class Collectives(unittest.TestCase):
    """The packets of all ranks, of four: the algorithms differ in how many they send."""

    def packets(self, *workload, **settings):
        return sum(run(4, workload, eager_limit="1M", max_payload="1M", **settings)["packets_sent"])

    def sent(self, *workload, **settings):
        """What the workload sends besides what every program does."""
        return self.packets(*workload, **settings) - self.packets("late", 0, **settings) + 1

    def test_each_algorithm_is_taken_where_it_is_asked_for(self):
        for setting, workload, messages in (
                ("barrier_algorithm", ("barrier",), {"dissemination": 8, "tree": 6}),
                ("bcast_algorithm", ("bcast", 4000), {"linear": 3, "binomial": 3, "scatter-allgather": 15, "chain": 3, "binary": 3}),
                ("reduce_algorithm", ("reduce", 1000), {"linear": 3, "binomial": 3, "knomial": 3, "rabenseifner": 11, "chain": 3}),
                ("allreduce_algorithm", ("allreduce", 100), {"recursive-doubling": 8, "ring": 24, "rabenseifner": 16, "reduce-bcast": 6}),
                ("allreduce_algorithm", ("allreduce", 3), {"recursive-doubling": 8}),
                ("gather_algorithm", ("gather", 100), {"linear": 3, "binomial": 3, "knomial": 3}),
                ("scatter_algorithm", ("scatter", 100), {"linear": 3, "binomial": 3, "knomial": 3}),
                ("allgather_algorithm", ("allgather", 100), {"bruck": 8, "ring": 12, "recursive-doubling": 8, "gather-bcast": 6, "spread": 12}),
                ("allgatherv_algorithm", ("allgatherv", 100), {"bruck": 8, "ring": 12, "spread": 12}),
                ("alltoall_algorithm", ("alltoall", 100), {"bruck": 8, "spread": 12, "pairwise": 12}),
                ("alltoallv_algorithm", ("alltoallv", 100), {"spread": 12, "pairwise": 12}),
                ("reduce_scatter_algorithm", ("reduce_scatter", 100), {"halving": 8, "ring": 12, "reduce-scatter": 6}),
                ("scan_algorithm", ("scan", 100), {"doubling": 5, "linear": 3})):
            for algorithm, wanted in messages.items():
                with self.subTest(setting, algorithm=algorithm):
                    self.assertEqual(self.sent(*workload, **{setting: algorithm}), wanted)

    def test_an_algorithm_that_cannot_do_it_is_not_taken(self):
        self.assertEqual(self.sent("allreduce", 3, allreduce_algorithm="ring"), self.sent("allreduce", 3))
        self.assertEqual(self.sent("barrier", barrier_algorithm="hierarchical"), self.sent("barrier"))

    def test_a_communicator_may_ask_for_its_own(self):
        self.assertEqual(self.sent("allreduce", 100, "ring", allreduce_algorithm="recursive-doubling"), 24)
        self.assertEqual(self.sent("allreduce", 100, "nonsense", allreduce_algorithm="recursive-doubling"), 8)

    def test_pipeline_chunk_says_how_much_follows_each_other(self):
        self.assertEqual(self.sent("bcast", 4000, bcast_algorithm="chain", pipeline_chunk=1000), 12)

    def test_tree_radix_says_how_many_ways_a_tree_branches(self):
        """The root of four has three children, or two."""
        root = lambda radix: run(4, ("bcast", 4000), eager_limit="1M", max_payload="1M", bcast_algorithm="knomial", tree_radix=radix)["packets_sent"][0]
        self.assertEqual(root(4) - root(2), 1)

    def test_costs_say_what_is_chosen(self):
        """What latencies, turns and nothing else cost is done in few rounds; what bytes cost, in few bytes."""
        few_rounds, few_bytes = (self.sent("allreduce", 100, allreduce_algorithm=name) for name in ("recursive-doubling", "ring"))
        free = dict(board_ranks=1, cost_latency=0, cost_gap=0, cost_turn=0, cost_transfer_1m=0, cost_copy_1m=0, cost_combine_1m=0)
        self.assertEqual(self.sent("allreduce", 100, **free | dict(cost_latency="1us", cost_turn="1us")), few_rounds)
        self.assertEqual(self.sent("allreduce", 100, **free | dict(cost_copy_1m="1s", cost_combine_1m="1s")), few_bytes)

    def test_what_is_reproducible_does_not_look_at_cores(self):
        """One long allreduce: what is the least work for two cores, or what is the fastest on four."""
        placed, anywhere = (self.sent("allreduce", 1_000_000, reproducible=what, cost_turn="1s") for what in ("placement", "ranks"))
        if len(os.sched_getaffinity(0)) < 4:
            self.assertNotEqual(placed, anywhere)

    def test_board_ranks_says_which_communicators_share_memory(self):
        messages, board = (run(4, ("barriers", 100), board_ranks=most) for most in (3, 4))
        self.assertNotIn("board_collectives", messages)
        self.assertTrue(all(count >= 96 for count in board["board_collectives"]), board)
        self.assertTrue(all(few * 10 < many for few, many in zip(board["packets_sent"], messages["packets_sent"])), (board, messages))
        self.assertIn("board_collectives", run(CROWD, ("barriers", 100)))

    def test_ranks_that_sleep_at_once_are_all_woken_at_a_board(self):
        counted = run(8, ("barriers", 3000), wait_yields=0, wait_looks=0, board_ranks=8)
        self.assertGreater(sum(counted["sleeps"]), 100)

    def test_what_users_functions_combine_goes_on_pages_of_two_ranks(self):
        for operation in ("reduce", "allreduce"):
            for count in (5_000, 400_000):
                with self.subTest(operation, ints=count):
                    counted = run(2, ("users", operation, count, 20))
                    self.assertTrue(all(count >= 12 for count in counted["board_collectives"]), counted)
            self.assertNotIn("board_collectives", run(3, ("users", operation, 5_000, 20)))

    def test_board_bytes_says_what_goes_there(self):
        messages, board = (run(4, ("allgather", 1000, 50), board_bytes=most) for most in (999, 1000))
        self.assertNotIn("board_collectives", messages)
        self.assertTrue(all(count >= 40 for count in board["board_collectives"]), board)


class Memory(unittest.TestCase):
    def test_heap_from_says_what_others_may_map(self):
        self.assertEqual(run(2, ("allocate", 1000)).get("heap_bytes", [0]), [0])
        self.assertEqual(run(2, ("allocate", 1000), heap_from=1000)["heap_bytes"], [1000, 1000])
        self.assertEqual(run(2, ("allocate", 100_000))["heap_bytes"], [100_000, 100_000])
        self.assertEqual(run(2, ("allocate", 100_000), heap_from="1M").get("heap_bytes", [0]), [0])


def started(*words, mpiexec=()):
    """How a program ends and what it prints of what it finds; alone where mpiexec gets no options."""
    launcher = [OPTIONS.build / "bin" / "mpiexec", *mpiexec] if mpiexec else []
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ANTIPHON_")}
    done = subprocess.run([*map(str, launcher), OPTIONS.started, *words], capture_output=True, text=True, timeout=60, env=clean)
    return done.returncode, done.stdout.splitlines(), done.stderr


class Errors(unittest.TestCase):
    def test_initial_errhandler_says_what_errors_do_that_no_program_has_spoken_of(self):
        everywhere = [f"{where}: returned" for where in ("before", "world", "self", "nobody's", "after")]
        for options in (["-initial-errhandler", "mpi_errors_return"], ["--set", "initial_errhandler=mpi_errors_return"]):
            with self.subTest(options):
                self.assertEqual(started("errors", mpiexec=options), (0, everywhere, ""))
        for handler in (["-initial-errhandler", "mpi_errors_are_fatal"], ["-initial-errhandler=mpi_errors_abort"], ["-n", "1"]):
            with self.subTest(handler):
                status, printed, told = started("errors", mpiexec=handler)
                self.assertEqual((status, printed), (1, []))
                self.assertIn("MPI_Comm_rank: MPI_ERR_OTHER: called before MPI_Init", told)

    def test_each_program_of_a_job_may_have_its_own(self):
        status, printed, _ = started("errors", mpiexec=["-n", "1", "-initial-errhandler", "mpi_errors_return", OPTIONS.started,
                                                        "kinds", ":", "-n", "1"])
        self.assertEqual(status, 1)
        self.assertNotIn("before: returned", printed)

    def test_a_wrong_one_is_told(self):
        status, _, told = started("errors", mpiexec=["-initial-errhandler", "mpi_errors_retrun"])
        self.assertEqual(status, 2)
        self.assertIn("-initial-errhandler='mpi_errors_retrun' is", told)
        self.assertIn("valid: mpi_errors_are_fatal, mpi_errors_abort, mpi_errors_return", told)


class MemoryKinds(unittest.TestCase):
    def test_are_those_of_mpi_and_of_the_system(self):
        for launcher in ((), ("-n", "1")):
            _, printed, _ = started("kinds", mpiexec=launcher)
            self.assertEqual(printed, [f"{where}: mpi,system" for where in ("env", "world", "window", "session", "its communicator")])

    def test_are_named_more_closely_where_somebody_asks(self):
        _, printed, _ = started("kinds", "system,mpi:win_allocate", mpiexec=["-memory-alloc-kinds", "cuda:device,mpi:alloc_mem,mpi:moon"])
        self.assertEqual(printed, [f"{where}: mpi,system,mpi:alloc_mem" for where in ("env", "world", "window")] +
                         [f"{where}: mpi,system,mpi:win_allocate" for where in ("session", "its communicator")])


class CopyPermission(unittest.TestCase):
    """In a system that looks as if it had Yama in some mode: whom the ranks name as their tracer, and until when."""

    def named(self, mode, *words, ranks=2):
        """For each rank the tracers in order, by name."""
        if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
            self.skipTest("only root can put another file into /proc")
        shown = (f"mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama && "
                 f'echo {mode} >/proc/sys/kernel/yama/ptrace_scope && exec "$@"')
        rank = f"LD_PRELOAD={OPTIONS.recorder}${{LD_PRELOAD:+:$LD_PRELOAD}} exec {OPTIONS.workload} barriers 1"
        done = subprocess.run(["unshare", "-m", "sh", "-c", shown, "sh", OPTIONS.build / "bin" / "mpiexec", *words,
                               "-n", str(ranks), "sh", "-c", f"echo supervisor $PPID; {rank}"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        supervisor, = set(re.findall(r"supervisor (\d+)", done.stdout))
        return re.findall(r"tracer (\S+)", done.stdout.replace(f"tracer {supervisor}\n", "tracer supervisor\n"))

    def test_of_the_job_names_its_supervisor_from_init_to_finalize(self):
        for words in ((), ("--set", "copy_permission=job")):
            for ranks in (2, 3):
                self.assertEqual(sorted(self.named(1, *words, ranks=ranks)), ["0"] * ranks + ["supervisor"] * ranks)

    def test_is_not_asked_for_by_a_rank_that_is_alone(self):
        self.assertEqual(self.named(1, ranks=1), [])

    def test_of_any_names_all(self):
        self.assertEqual(sorted(self.named(1, "--set", "copy_permission=any")), ["0", "0", "any", "any"])

    def test_of_none_names_nobody(self):
        self.assertEqual(self.named(1, "--set", "copy_permission=none"), [])

    def test_is_not_asked_for_where_it_changes_nothing(self):
        for mode in (0, 2, 3):
            self.assertEqual(self.named(mode), [])


class Counting(unittest.TestCase):
    def test_counters_off_prints_nothing(self):
        words = [OPTIONS.build / "bin" / "mpiexec", "-n", "2", OPTIONS.workload, "late", "0"]
        self.assertEqual(subprocess.run(words, capture_output=True, text=True, timeout=60).stderr, "")

    def test_packets_and_bytes_are_those_that_were_sent(self):
        less, more = (run(2, ("stream", 1000, count)) for count in (1, 101))
        self.assertEqual(more["bytes_sent"][0] - less["bytes_sent"][0], 100 * 1000)
        self.assertEqual(more["packets_sent"][0] - less["packets_sent"][0], 100)
        self.assertEqual(more["packets_sent"][1] - less["packets_sent"][1], 100)

    def test_a_program_without_mpi_counts_nothing(self):
        done = subprocess.run([OPTIONS.build / "bin" / "mpiexec", "--counters", "-n", "2", "true"], capture_output=True,
                              text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class EverySetting(unittest.TestCase):
    """A setting of the library without a test above is one that nobody knows to work."""

    def test_has_a_test(self):
        text = pathlib.Path(__file__).read_text()
        table = tomllib.loads((ROOT / "spec" / "cvars.toml").read_text())
        between_nodes = {"cost_far_latency", "cost_far_transfer_1m"}  # tests/unit/coll_choice_test.cpp
        untested = [name for name, keys in table.items() if keys["scope"] != "launcher" and f"{name}=" not in text
                    and f'"{name}"' not in text and name != "counters" and name not in between_nodes]
        self.assertEqual(untested, [])


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
