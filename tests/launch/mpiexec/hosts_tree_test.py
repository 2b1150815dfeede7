#!/usr/bin/env python3
"""Daemons that start daemons: with few daemons each (launch_fan_out), the nodes are a deep tree, and everything is as without.

Usage: see cases.py.
"""
import functools
import os
import pathlib
import re
import resource
import signal
import sys
import tempfile
import time
import unittest

from cases import Job, OPTIONS, SOON_S
from host_cases import HOSTS, HostsTest, LOST_S

SHAPES = [(nodes, fan_out) for nodes in (1, 2, 3, 7, 40) for fan_out in (1, 2, 3)]


def tree(nodes, fan_out):
    """One rank on each of n0, n1, ..., so that rank and node have the same number."""
    return ["--set", f"launch_fan_out={fan_out}", *HOSTS, ",".join(f"n{i}" for i in range(nodes))]


class HostsTree(HostsTest):
    def each_shape(self):
        for nodes, fan_out in SHAPES:
            with self.subTest(nodes=nodes, fan_out=fan_out):
                yield nodes, tree(nodes, fan_out)

    def start(self, nodes, fan_out, program="sleep 60"):
        """A job whose rank r runs `program`, and the pid of the daemon of each node."""
        job = Job(*tree(nodes, fan_out), "sh", "-c", f"echo $ANTIPHON_RANK $PPID; {program}; true")
        daemons = {}
        while len(daemons) < nodes:
            rank, worker = job.process.stdout.readline().split()
            daemons[int(rank)] = int(re.search(r"(?m)^PPid:\s*(\d+)", pathlib.Path(f"/proc/{worker}/status").read_text())[1])
        return job, daemons

    def test_output_is_that_of_every_rank(self):
        for nodes, words in self.each_shape():
            job = self.run_job(*words, "sh", "-c", "echo $ANTIPHON_RANK/$ANTIPHON_SIZE; echo $ANTIPHON_RANK >&2")
            self.check(job, 0)
            self.assertEqual(sorted(job.out.split()), sorted(f"{r}/{nodes}" for r in range(nodes)))
            self.assertEqual(sorted(job.err.split()), sorted(f"{r}" for r in range(nodes)))

    def test_a_daemon_has_no_more_daemons_below_it_than_the_setting_says(self):
        for fan_out, parents in ((1, [None, 0, 1, 2, 3, 4, 5]), (2, [None, None, 0, 0, 1, 1, 2])):
            job, daemons = self.start(7, fan_out)
            number = {pid: node for node, pid in daemons.items()}
            found = [int(pathlib.Path(f"/proc/{daemons[node]}/stat").read_text().split()[3]) for node in range(7)]
            job.process.send_signal(signal.SIGTERM)
            job.finish()
            self.assertEqual([number.get(pid) for pid in found], parents)

    def test_the_exit_status_of_the_last_rank_is_that_of_the_job(self):
        for nodes, words in self.each_shape():
            job = self.run_job(*words, "sh", "-c", f"[ $ANTIPHON_RANK = {nodes - 1} ] && exit 7; exec sleep 30")
            self.check(job, 7, rf"^mpiexec: rank {nodes - 1} \(pid \d+, host n{nodes - 1}\) exited with status 7\n$")
            self.assertLess(job.took, SOON_S)

    def test_signals_reach_all_ranks(self):
        for nodes, words in self.each_shape():
            job = Job(*words, "sh", "-c", "trap 'echo got it; exit 0' USR1; echo ready; while :; do sleep 0.1; done")
            for _ in range(nodes):
                job.process.stdout.readline()
            job.process.send_signal(signal.SIGUSR1)
            job.finish()
            self.assertEqual((job.status, job.out.count("got it"), job.err), (0, nodes, ""))

    def test_a_hang_is_explained(self):
        for nodes, words in self.each_shape():
            if nodes > 1:
                job = self.run_job("--on-hang", "abort", "--set", "hang_look_every=200ms", *words, OPTIONS.rank, "wait-for",
                                   *[(r + 1) % nodes for r in range(nodes)])
                self.check(job, 123, rf"rank {nodes - 1} waits in MPI_Recv from rank 0, tag 7", "cycle: rank 0 waits for rank 1")

    def test_a_daemon_in_the_middle_that_is_killed_names_its_host_and_those_reached_through_it(self):
        for nodes, fan_out, victim, below in ((7, 2, 0, "n2, n3, n6"), (3, 1, 1, "n2"), (7, 2, 2, "n6")):
            job, daemons = self.start(nodes, fan_out)
            begun = time.monotonic()
            os.kill(daemons[victim], signal.SIGKILL)
            job.finish()
            self.check(job, 1, rf"^mpiexec: lost host n{victim}: its connection has ended \('\S+' was ended by signal 9 \(Killed\)\)\n"
                               rf"mpiexec: with it those that were reached through it: {below}\n$")
            self.assertLess(time.monotonic() - begun, LOST_S)
            self.assertEqual(job.survivors(), [])

    def test_a_daemon_in_the_middle_that_stops_names_its_host_and_those_reached_through_it(self):
        job, daemons = self.start(7, 2)
        begun = time.monotonic()
        os.kill(daemons[0], signal.SIGSTOP)
        job.finish()
        self.check(job, 1, r"^mpiexec: lost host n0: it has not answered for 5 s\n"
                           r"mpiexec: with it those that were reached through it: n2, n3, n6\n$")
        self.assertLess(time.monotonic() - begun, LOST_S)
        self.assertEqual(job.survivors(), [])

    def test_output_from_far_below_is_complete_and_in_order(self):
        text = "".join(f"line {i} {'x' * (i % 100)}\n" for i in range(100_000))
        program = "for i in range(100_000): print('line', i, 'x' * (i % 100))"
        for nodes, fan_out in ((7, 1), (7, 2), (40, 3)):
            script = f"[ $ANTIPHON_RANK = {nodes - 1} ] || exit 0; exec '{sys.executable}' -c \"{program}\""
            job = self.run_job(*tree(nodes, fan_out), "sh", "-c", script)
            self.check(job, 0)
            self.assertTrue(job.out == text, f"{len(job.out)} of {len(text)} bytes")

    def test_a_rank_far_below_that_prints_much_waits_for_the_reader(self):
        """The daemons between keep little, however long nobody reads, and nothing is lost."""
        megabytes = 40
        with tempfile.TemporaryDirectory() as folder:
            written = pathlib.Path(folder) / "written"
            program = (f"import os\nif os.environ['ANTIPHON_RANK'] == '6':\n for i in range({megabytes}):\n"
                       f"  print('x' * (1 << 20), flush=True); open({str(written)!r}, 'a').write('.')")
            job = Job(*tree(7, 1), sys.executable, "-c", program)
            time.sleep(3)
            at_first = written.stat().st_size
            time.sleep(6)  # longer than a daemon may be silent
            self.assertEqual(written.stat().st_size, at_first)
            self.assertLess(at_first, megabytes / 2)
            job.finish()
            self.check(job, 0)
            self.assertEqual((job.out.count("x"), job.out.count("\n")), (megabytes << 20, megabytes))

    def test_few_descriptors_make_a_deeper_tree(self):
        few = functools.partial(resource.setrlimit, resource.RLIMIT_NOFILE, (64, 64))
        job = self.run_job(*HOSTS, ",".join(f"n{i}" for i in range(40)), "sh", "-c", "ulimit -n", preexec_fn=few)
        self.check(job, 0)
        self.assertEqual(job.out, "64\n" * 40)


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
