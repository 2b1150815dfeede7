"""mpiexec from outside: what its tests have in common. Each starts jobs, and finds out whether they left anything behind.

*_test.py --mpiexec PATH --rank PATH [--kills N] [unittest arguments]

--rank is the fake_rank program. --kills N is how often mpiexec is killed at a random moment (default 10).
"""
import contextlib
import os
import pathlib
import pty
import signal
import subprocess
import sys
import time
import unittest
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

import options  # noqa: E402

OPTIONS = options.parse(__doc__, mpiexec=str, rank=str, kills=10)
PATIENCE_S = 60
SOON_S = 10  # what a slow machine with other work needs, and much less than ranks take that nobody ends


def marked_processes(mark):
    """Every process, whoever its parent is, that inherited the mark of one test's job."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if mark.encode() in (entry / "environ").read_bytes():
                found.append((int(entry.name), (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()))
        except OSError:
            pass
    return found


class Job:
    """An mpiexec started by a test; everything it starts carries the job's mark."""

    def __init__(self, *words, stdin=subprocess.DEVNULL, environment=None, **options):
        self.mark = f"LAUNCH_TEST_MARK={uuid.uuid4()}"
        name, value = self.mark.split("=")
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("ANTIPHON_", "OMP_", "MPIEXEC_"))}
        self.started = time.monotonic()
        self.process = subprocess.Popen([OPTIONS.mpiexec, *map(str, words)], stdin=stdin, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True,
                                        env={**clean, **(environment or {}), name: value}, **options)

    def finish(self, stdin=None):
        self.out, self.err = self.process.communicate(stdin, timeout=PATIENCE_S)
        self.took = time.monotonic() - self.started
        self.status = self.process.returncode
        return self

    def survivors(self, within_s=SOON_S):
        deadline = time.monotonic() + within_s
        while (left := marked_processes(self.mark)) and time.monotonic() < deadline:
            time.sleep(0.01)
        for pid, _ in left:
            os.kill(pid, signal.SIGKILL)
        return left

    def wait_for_processes(self, count, that_run=""):
        """Until there are so many whose command line begins so; returns their pids."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            found = [pid for pid, words in marked_processes(self.mark) if words.startswith(that_run)]
            if len(found) >= count or time.monotonic() > deadline:
                return found
            time.sleep(0.01)


class LaunchTest(unittest.TestCase):
    def run_job(self, *words, stdin=None, **options):
        job = Job(*words, stdin=subprocess.PIPE if stdin else subprocess.DEVNULL, **options).finish(stdin)
        self.assertEqual(job.survivors(within_s=0.2), [])
        return job

    def in_terminal(self, *words):
        """What mpiexec and its ranks print on a terminal."""
        here, there = pty.openpty()
        process = subprocess.Popen([OPTIONS.mpiexec, *map(str, words)], stdin=subprocess.DEVNULL, stdout=there, stderr=there)
        os.close(there)
        shown = bytearray()
        with contextlib.suppress(OSError):  # a terminal that nobody writes to any more
            while piece := os.read(here, 1 << 16):
                shown += piece
        os.close(here)
        self.assertEqual(process.wait(PATIENCE_S), 0, shown)
        return shown.decode()

    def check(self, job, status, *messages):
        self.assertEqual(job.status, status, job.err)
        for message in messages:
            self.assertRegex(job.err, message)
