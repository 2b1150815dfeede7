"""A launcher that speaks PMI-1, for tests: it starts ranks, answers what they ask, and can be made to misbehave. It can
pretend that ranks run on several hosts: each such host has a name of its own (a UTS namespace), which is enough for the
library to take it for another node.

pmi_launcher.py HOSTS "RANKS..." PROGRAM [arguments]: runs it with each number of ranks. Exit status 0: it always ended with
status 0. 77: hosts cannot be pretended here.
"""
import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid

PATIENCE_S = 60


def can_pretend_hosts():
    return subprocess.run([*on_host("other"), "true"], capture_output=True).returncode == 0


def on_host(name):
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["unshare", *user, "--uts", "sh", "-c", f'hostname {name} && exec "$@"', "sh"]


def marked_processes(mark):
    """Pids and command lines of all processes that inherited the mark, whoever their parents are."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "environ").read_bytes():
                found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
        except OSError:
            pass
    return found


class PmiLauncher:
    """Runs `command` on so many ranks, and afterwards has `out`, `err`, `statuses`, `asked` (rank, line) and `aborted`, the
    exit code that a rank asked for. `answer(rank, line, usual)` may return another answer, or None to hang up.
    `keep_others`: whether the other ranks go on if one has died, as with srun."""

    def __init__(self, command, ranks, hosts=1, by="fd", answer=None, keep_others=False, environment=None):
        self.command, self.ranks, self.hosts, self.by = list(map(str, command)), ranks, hosts, by
        self.answer = answer or (lambda rank, line, usual: usual)
        self.keep_others, self.environment = keep_others, environment or {}
        self.mark = f"PMI_LAUNCHER_MARK={uuid.uuid4()}"
        self.lock = threading.Lock()
        self.values, self.asked, self.aborted = {}, [], None
        self.arrived, self.lines = set(), {}

    def start(self):
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("ANTIPHON_", "PMI", "OMPI_", "SLURM_"))}
        name, value = self.mark.split("=")
        self.processes = []
        if self.by == "port":
            listener = socket.create_server(("127.0.0.1", 0), backlog=self.ranks)
            threading.Thread(target=self.accept_ranks, args=(listener,), daemon=True).start()
        for rank in range(self.ranks):
            environment = {**clean, **self.environment, name: value}
            theirs = []
            if self.by == "port":
                environment |= {"PMI_PORT": f"127.0.0.1:{listener.getsockname()[1]}", "PMI_ID": str(rank)}
            else:
                mine, its = socket.socketpair()
                theirs = [its.fileno()]
                environment |= {"PMI_FD": str(theirs[0]), "PMI_RANK": str(rank), "PMI_SIZE": str(self.ranks)}
                threading.Thread(target=self.serve, args=(rank, mine), daemon=True).start()
            host = on_host(f"host{rank % self.hosts}") if self.hosts > 1 else []
            self.processes.append(subprocess.Popen([*host, *self.command], stdin=subprocess.DEVNULL, pass_fds=theirs,
                                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                                   env=environment))
            if theirs:
                its.close()
        return self

    def finish(self):
        """Waits for all ranks; whoever does not end in time is killed, and has status None."""
        texts = [None] * self.ranks
        readers = [threading.Thread(target=lambda i=i: texts.__setitem__(i, self.processes[i].communicate()))
                   for i in range(self.ranks)]
        for reader in readers:
            reader.start()
        deadline = time.monotonic() + PATIENCE_S
        while any(p.poll() is None for p in self.processes) and time.monotonic() < deadline:
            if not self.keep_others and any(p.poll() for p in self.processes):
                time.sleep(0.2)
                self.kill()
            time.sleep(0.005)
        late = [p.poll() is None for p in self.processes]
        self.kill()
        for reader in readers:
            reader.join()
        self.statuses = [None if was_late else p.returncode for p, was_late in zip(self.processes, late)]
        self.out, self.err = ("".join(text[i] for text in texts) for i in (0, 1))
        return self

    def kill(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()

    def survivors(self, within_s=10):
        deadline = time.monotonic() + within_s
        while (left := marked_processes(self.mark)) and time.monotonic() < deadline:
            time.sleep(0.01)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        return left

    def accept_ranks(self, listener):
        for _ in range(self.ranks):
            connection, _ = listener.accept()
            threading.Thread(target=self.serve, args=(None, connection), daemon=True).start()
        listener.close()

    def serve(self, rank, connection):
        with contextlib.suppress(OSError), connection, connection.makefile("r", newline="\n") as questions:
            self.lines[rank] = connection
            for line in questions:
                line = line.rstrip("\n")
                words = dict(word.split("=", 1) for word in line.split(" "))
                if words["cmd"] == "initack":
                    rank = int(words["pmiid"])
                    self.lines[rank] = connection
                with self.lock:
                    self.asked.append((rank, line))
                    answer = self.answer(rank, line, self.usual_answer(rank, words))
                if answer is None:
                    connection.shutdown(socket.SHUT_RDWR)
                    return
                connection.sendall(answer.encode())

    def usual_answer(self, rank, words):
        match words["cmd"]:
            case "initack":
                return f"cmd=initack rc=0\ncmd=set size={self.ranks}\ncmd=set rank={rank}\ncmd=set debug=0\n"
            case "init":
                return "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"
            case "get_maxes":
                return "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024\n"
            case "get_my_kvsname":
                return "cmd=my_kvsname kvsname=kvs_0\n"
            case "get_appnum":
                return "cmd=appnum appnum=0\n"
            case "put":
                assert len(words["key"]) < 64 and len(words["value"]) < 1024
                self.values[words["key"]] = words["value"]
                return "cmd=put_result rc=0 msg=success\n"
            case "get" if words["key"] in self.values:
                return f"cmd=get_result rc=0 msg=success value={self.values[words['key']]}\n"
            case "get":
                return f"cmd=get_result rc=-1 msg=key_{words['key']}_not_found value=unknown\n"
            case "barrier_in":
                self.arrived.add(rank)
                if len(self.arrived) < self.ranks:
                    return ""
                self.arrived.clear()
                for other, line in self.lines.items():
                    if other not in (rank, None):
                        line.sendall(b"cmd=barrier_out\n")
                return "cmd=barrier_out\n"
            case "finalize":
                return "cmd=finalize_ack\n"
            case "abort":
                self.aborted = int(words["exitcode"])
                self.kill()
                return None
        raise AssertionError(f"rank {rank} asks '{words}'")


def main(hosts, numbers_of_ranks, *command):
    if not can_pretend_hosts():
        print("host names cannot be changed here (unshare --uts)")
        return 77
    for ranks in map(int, numbers_of_ranks.split()):
        job = PmiLauncher(command, ranks, int(hosts)).start().finish()
        print(job.out, job.err, sep="")
        if set(job.statuses) != {0} or job.survivors():
            print(f"with {ranks} ranks, their exit statuses are {job.statuses}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
