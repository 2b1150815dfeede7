"""mpiexec over several hosts, from outside: what its tests have in common. All hosts are this machine (--launcher fork), each
with a daemon and a job segment of its own; but for ssh and a network, everything is as with real hosts.
"""
import pathlib
import time

from cases import LaunchTest, PATIENCE_S, marked_processes

HOSTS = ["--launcher", "fork", "--host"]
TWO = [*HOSTS, "a:2,b:2"]  # ranks 0 and 1 on a, 2 and 3 on b
LOST_S = 10


class HostsTest(LaunchTest):
    def processes(self, job, name):
        """Those of the job whose command line begins so or whose name is this."""
        found = []
        for pid, words in marked_processes(job.mark):
            try:
                comm = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
            except OSError:
                continue
            if comm == name or words.startswith(name):
                found.append(pid)
        return sorted(found)

    def wait_for(self, job, name, count):
        deadline = time.monotonic() + PATIENCE_S
        while len(found := self.processes(job, name)) < count and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(len(found), count)
        return found
