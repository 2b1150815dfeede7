#!/usr/bin/env python3
"""kill -9 of a rank, of mpiexec, or of the supervisor behind it, at a random moment of a job that communicates: no
process, no memory and no file is left.

kill_test.py --mpiexec PATH --rank PATH [--hosts]

--hosts: the jobs run over several hosts, which are all this machine, in trees of daemons; a daemon and the process that runs
its ranks are killed as well, and a daemon is stopped.
ANTIPHON_KILL_ROUNDS: how many kills (10; 100, and 40 over hosts, where ANTIPHON_TEST_LONG is set). ANTIPHON_KILL_SEED: what they are drawn from; printed when something is left.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import uuid

PATIENCE_S = {"one": 5, "several": 10}
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
    """What `look` still finds after some seconds."""
    deadline = time.monotonic() + PATIENCE_S["one"]
    while (left := look()) and time.monotonic() < deadline:
        time.sleep(0.005)
    return left


def parent(pid):
    try:
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


STOPPED = "daemon that is stopped"
# Who is killed: how often, its name in the process table, and what mpiexec has to say, if it can say anything. A rank may
# notice first that its peer is gone, and a process has the name of its parent for a moment.
ON_ONE_HOST = {"mpiexec": (1, "mpiexec", ""), "supervisor": (1, "antiphon-superv", ""), "rank": (2, "chatter", r"died by signal 9 \(Killed\)")}
LOST = r"lost host n\d|cannot start|died by signal 9|aborted the job"
ON_HOSTS = {"mpiexec": (2, "mpiexec", ""), "supervisor": (2, "antiphon-superv", "its supervisor was killed by signal 9"),
            "rank": (4, "chatter", LOST), "daemon": (4, "antiphon-node", LOST), "worker": (3, "antiphon-ranks", LOST),
            STOPPED: (1, "antiphon-node", LOST)}


class Round:
    """One job, one kill, and the search for what it left."""

    def __init__(self, options, rng, folder):
        self.rng = rng
        self.folder = folder
        self.mark = f"KILL_TEST_MARK={uuid.uuid4()}"
        name, value = self.mark.split("=")
        homes = {variable: str(folder) for variable in ("HOME", "TMPDIR", "TMP", "XDG_RUNTIME_DIR")}
        seconds = rng.choice(["0.02", "30"])  # ends by itself at about the moment of the kill, or does not
        self.victims = ON_HOSTS if options.hosts else ON_ONE_HOST
        self.patience_s = PATIENCE_S["several" if options.hosts else "one"]
        self.words = self.hosts() if options.hosts else ["-n", str(rng.choice([1, 2, 3, 4, 16]))]
        self.job = subprocess.Popen(
            [options.mpiexec, *self.words, options.rank, seconds], cwd=folder,
            env={**os.environ, **homes, name: value}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def hosts(self):
        slots = self.rng.choice([1, 2])
        hosts = ",".join(f"n{i}:{slots}" for i in range(self.rng.choice([1, 2, 3, 7])))
        return ["--launcher", "fork", "--set", f"launch_fan_out={self.rng.choice(['auto', '1', '2'])}", "--host", hosts]

    def kill_somebody(self):
        """Returns who it was, and the job's segments as they were seen just before."""
        time.sleep(self.rng.choice([self.rng.uniform(0, 0.02), self.rng.uniform(0, 0.3)]))
        people = marked(self.mark)
        kind = self.rng.choices(list(self.victims), [often for often, _, _ in self.victims.values()])[0]
        _, called, _ = self.victims[kind]
        candidates = [pid for pid, name in people.items() if name.startswith(called)]
        if kind == "mpiexec":
            candidates = [self.job.pid]
        if kind == "supervisor":  # not what it has just forked
            candidates = [pid for pid in candidates if parent(pid) == self.job.pid]
        segments = set().union(*(segments_of(pid) for pid in people)) if people else set()
        if not candidates or self.job.poll() is not None:
            return NOBODY, segments
        try:
            os.kill(self.rng.choice(sorted(candidates)), signal.SIGSTOP if kind == STOPPED else signal.SIGKILL)
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
            _, errors = self.job.communicate(timeout=self.patience_s)
        except subprocess.TimeoutExpired:
            self.job.kill()
            return victim, [f"mpiexec, {self.patience_s} s later"] + self.what_is_left(segments)
        left = self.what_is_left(segments)
        expected = self.victims[victim][2] if victim != NOBODY else ""
        if self.job.returncode != 0 and not re.search(expected, errors):
            left.append(f"no word about what was lost: status {self.job.returncode}, {errors!r}")
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
    parser.add_argument("--hosts", action="store_true", help="jobs over several hosts")
    parser.add_argument("--private", action="store_true", help="used by the program itself")
    options = parser.parse_args()
    rounds = int(os.environ.get("ANTIPHON_KILL_ROUNDS", (40 if options.hosts else 100) if "ANTIPHON_TEST_LONG" in os.environ else 10))
    seed = int(os.environ.get("ANTIPHON_KILL_SEED", random.randrange(10**9)))
    rng = random.Random(seed)
    before = shared_memory()
    victims = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        while victims.total() - victims[NOBODY] < rounds:
            this = Round(options, rng, folder)
            victim, left = this.run()
            victims[victim] += 1
            if new := shared_memory() - before:
                left.append(f"shared memory {new}" + ("" if options.private else " (of another program, perhaps)"))
            if left:
                print(f"job {victims.total()}, ANTIPHON_KILL_SEED={seed}: kill of {victim} ({' '.join(this.words)}) left {'; '.join(left)}")
                return 1
    print(f"{rounds} kills, seed {seed}, {dict(victims)}: nothing was left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
