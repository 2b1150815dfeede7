#!/usr/bin/env python3
"""kill -9 of a rank, of mpiexec, or of the supervisor behind it, at a random moment of a job that communicates: no
process, no memory and no file is left.

kill_test.py --mpiexec PATH --rank PATH

ANTIPHON_KILL_ROUNDS: how many kills (10; 100 where ANTIPHON_TEST_LONG is set). ANTIPHON_KILL_SEED: what they are drawn from; printed when something is left.
"""
import argparse
import collections
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid

PATIENCE_S = 5
NOBODY = "nobody: it was too early or too late"
SEGMENT = "memfd:antiphon-job"


def processes():
    return [entry for entry in pathlib.Path("/proc").iterdir() if entry.name.isdigit()]


def marked(mark):
    """pid -> name of every process that inherited the mark of a job, whoever its parent is now."""
    found = {}
    for entry in processes():
        try:
            if mark.encode() in (entry / "environ").read_bytes():
                found[int(entry.name)] = (entry / "comm").read_text().strip()
        except OSError:
            pass
    return found


def segments_of(pid):
    """The job segments that a process has open, each as (device, inode)."""
    found = set()
    try:
        for fd in pathlib.Path(f"/proc/{pid}/fd").iterdir():
            if SEGMENT in os.readlink(fd):
                status = os.stat(fd)
                found.add((status.st_dev, status.st_ino))
    except OSError:
        pass
    return found


def holders_of(segments):
    """Every process of the machine that has one of the segments open or mapped."""
    found = []
    inodes = {str(inode) for _, inode in segments}
    for entry in processes():
        try:
            mapped = any(SEGMENT in line and line.split()[4] in inodes for line in (entry / "maps").open())
        except OSError:
            mapped = False
        if mapped or segments_of(entry.name) & segments:
            found.append(int(entry.name))
    return found


def until_empty(look):
    """What `look` still finds after PATIENCE_S."""
    deadline = time.monotonic() + PATIENCE_S
    while (left := look()) and time.monotonic() < deadline:
        time.sleep(0.005)
    return left


class Round:
    """One job, one kill, and the search for what it left."""

    def __init__(self, options, rng, folder):
        self.rng = rng
        self.folder = folder
        self.mark = f"KILL_TEST_MARK={uuid.uuid4()}"
        name, value = self.mark.split("=")
        homes = {variable: str(folder) for variable in ("HOME", "TMPDIR", "TMP", "XDG_RUNTIME_DIR")}
        seconds = rng.choice(["0.02", "30"])  # ends by itself at about the moment of the kill, or does not
        self.job = subprocess.Popen(
            [options.mpiexec, "-n", str(rng.choice([1, 2, 3, 4, 16])), options.rank, seconds], cwd=folder,
            env={**os.environ, **homes, name: value}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def kill_somebody(self):
        """Returns who it was, and the job's segments as they were seen just before."""
        time.sleep(self.rng.choice([self.rng.uniform(0, 0.02), self.rng.uniform(0, 0.3)]))
        people = marked(self.mark)
        kind = self.rng.choice(["mpiexec", "supervisor", "rank", "rank"])
        roles = {"mpiexec": [self.job.pid],
                 "supervisor": [pid for pid, name in people.items() if name.startswith("antiphon-superv")],
                 "rank": [pid for pid, name in people.items() if name.startswith("chatter")]}
        segments = set().union(*(segments_of(pid) for pid in people)) if people else set()
        candidates = roles[kind]
        if not candidates or self.job.poll() is not None:
            return NOBODY, segments
        try:
            os.kill(self.rng.choice(sorted(candidates)), signal.SIGKILL)
        except ProcessLookupError:
            return NOBODY, segments
        return kind, segments

    def what_is_left(self, segments):
        left = []
        if found := until_empty(lambda: marked(self.mark)):
            left.append(f"processes {found}")
            for pid in found:
                os.kill(pid, signal.SIGKILL)
        if holders := until_empty(lambda: holders_of(segments)):
            left.append(f"the job's memory, in processes {holders}")
        # ThreadSanitizer keeps one for a moment when a process starts.
        if files := [name for name in os.listdir(self.folder) if not name.startswith("tsan.rodata.")]:
            left.append(f"files {files} in the folder that was current, home and temporary")
        return left

    def run(self):
        victim, segments = self.kill_somebody()
        if victim == NOBODY and self.job.poll() is None:
            self.job.terminate()
        try:
            _, errors = self.job.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.job.kill()
            return victim, [f"mpiexec, {PATIENCE_S} s later"] + self.what_is_left(segments)
        left = self.what_is_left(segments)
        if victim == "rank" and self.job.returncode == 137 and "died by signal 9 (Killed)" not in errors:
            left.append(f"no word about the rank that was killed: {errors!r}")
        return victim, left


def shared_memory():
    return set(os.listdir("/dev/shm")) | {line.split()[1] for line in open("/proc/sysvipc/shm").readlines()[1:]}


def in_private_mounts():
    """Starts this program again where /dev/shm is its own, if that is allowed: then nobody else's files are seen."""
    if "--private" in sys.argv:
        return
    mounts = 'mount -t tmpfs none /dev/shm && exec "$@"'
    for flags in ("-m", "-Urm"):
        words = ["unshare", flags, "sh", "-c", mounts, "sh"]
        if subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0:
            os.execvp("unshare", [*words, sys.executable, "-B", *sys.argv, "--private"])


def main():
    in_private_mounts()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mpiexec", type=os.path.abspath, required=True)
    parser.add_argument("--rank", type=os.path.abspath, required=True)
    parser.add_argument("--private", action="store_true", help="used by the program itself")
    options = parser.parse_args()
    rounds = int(os.environ.get("ANTIPHON_KILL_ROUNDS", 100 if "ANTIPHON_TEST_LONG" in os.environ else 10))
    seed = int(os.environ.get("ANTIPHON_KILL_SEED", random.randrange(10**9)))
    rng = random.Random(seed)
    before = shared_memory()
    victims = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        while victims.total() - victims[NOBODY] < rounds:
            victim, left = Round(options, rng, folder).run()
            victims[victim] += 1
            if new := shared_memory() - before:
                left.append(f"shared memory {new}" + ("" if options.private else " (of another program, perhaps)"))
            if left:
                print(f"job {victims.total()}, ANTIPHON_KILL_SEED={seed}: kill -9 of {victim} left {'; '.join(left)}")
                return 1
    print(f"{rounds} kills, seed {seed}, {dict(victims)}: nothing was left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
