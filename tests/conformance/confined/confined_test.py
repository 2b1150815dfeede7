#!/usr/bin/env python3
"""MPI programs where the system gives less than usual: little or no /dev/shm, system calls that a container forbids, an
ordinary user, one cpu, a fraction of one, few processes. What cannot be arranged without more rights is skipped, and
says so.

confined_test.py --build FOLDER [--sanitizer=NAME] [unittest arguments]
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

OPTIONS = None
SKIPPED = 77


def run(*words, timeout=200, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=timeout, **options)


def works(*words):
    return shutil.which(words[0]) is not None and run(*words).returncode == 0


class Confined(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tests = OPTIONS.build / "tests"
        cls.mpiexec = OPTIONS.build / "bin" / "mpiexec"
        cls.info = OPTIONS.build / "bin" / "antiphon-info"
        cls.patterns = tests / "patterns" / "mpi_patterns"
        cls.allocated = tests / "conformance" / "pt2pt" / "allocated_memory"
        cls.messages = tests / "conformance" / "datatypes" / "messages"
        cls.windows = tests / "conformance" / "windows"
        cls.refuse = tests / "conformance" / "confined" / "refuse"

    def expect_patterns(self, *around, ranks=(2, 4), **options):
        """The patterns (tests/patterns) pass under a command that takes mpiexec's as its last words."""
        for count in ranks:
            with self.subTest(ranks=count):
                done = run(*around, self.mpiexec, "-n", count, self.patterns, **options)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertRegex(done.stdout, f"patterns on {count} ranks: all is well")

    def expect_allocated(self, *around, ranks=2):
        """Messages from MPI_Alloc_mem arrive under such a command."""
        done = run(*around, self.mpiexec, "-n", ranks, self.allocated)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


    def within(self, mount, *, after="true"):
        for flags in ("-m", "-Urm"):
            if works("unshare", flags, "sh", "-c", mount):
                return ["unshare", flags, "sh", "-c", f'{mount} && "$@" && {after}', "sh"]
        self.skipTest(f"neither root nor a user namespace lets this user do: {mount}")

    def refusing(self, names):
        if run(self.refuse, names, "true").returncode == SKIPPED:
            self.skipTest("this kernel does not let programs refuse system calls to themselves")
        return [self.refuse, names]


class SharedMemory(Confined):
    """/dev/shm is not used, so its size, its rights and its absence do not matter."""

    def test_of_64_MB_is_enough_and_stays_empty(self):
        self.expect_patterns(*self.within("mount -t tmpfs -o size=64m none /dev/shm",
                                          after='[ -z "$(ls -A /dev/shm)" ]'), ranks=(2, 16))

    def test_of_64_MB_does_not_limit_what_is_allocated(self):
        around = self.within("mount -t tmpfs -o size=64m none /dev/shm", after='[ -z "$(ls -A /dev/shm)" ]')
        self.expect_allocated(*around, ranks=8)  # 12 MiB each and more

    def test_may_be_read_only(self):
        self.expect_patterns(*self.within("mount -t tmpfs -o ro none /dev/shm"), ranks=(4,))

    def test_may_be_missing(self):
        self.expect_patterns(*self.within("mount -t tmpfs -o size=64m none /dev"
                                          " && mknod /dev/null c 1 3" if os.geteuid() == 0 else
                                          "umount /dev/shm"), ranks=(4,))

    def test_and_all_temporary_folders_may_be_read_only(self):
        # A folder that this build lies in stays, for there would be no mpiexec.
        folders = [f for f in ("/dev/shm", "/tmp", "/var/tmp") if not os.path.realpath(__file__).startswith(f + "/")]
        mounts = " && ".join(f"mount -t tmpfs -o ro none {folder}" for folder in folders)
        self.expect_patterns(*self.within(mounts), ranks=(4,))


class Devices(Confined):
    def test_may_all_be_missing(self):
        """/dev/null, too."""
        around = self.within("mount -t tmpfs none /dev")
        self.expect_patterns(*around, ranks=(1, 2, 4))
        done = run(*around, self.mpiexec, "-l", "-n", 3, "cat", input="only rank 0 has this\n")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "[0] only rank 0 has this\n", ""))


class FullFileSystems(Confined):
    def test_are_told_of_by_1_2_and_4_ranks_that_print(self):
        with tempfile.TemporaryDirectory() as folder:
            around = self.within(f"mount -t tmpfs -o size=16k none {folder}")
            for ranks in (1, 2, 4):
                words = [*around, "sh", "-c", f'"$@" >{folder}/out', "sh", self.mpiexec, "-n", ranks, "seq", 20000]
                outcomes = {(done.returncode, done.stderr) for done in (run(*words) for _ in range(20))}
                told = "mpiexec: cannot write output: No space left on device (stdout)\n"
                self.assertEqual(outcomes, {(1, told)}, ranks)


class UnnamedFiles(Confined):
    """Where memfd_create is refused the job's memory is a file without a name, in a folder that has room for it."""

    def setUp(self):
        self.refused = self.refusing("memfd_create")

    def places(self, shm, temporary, *, tmpdir="/tmp"):
        """Mounted so; and nothing may be left there."""
        if os.path.realpath(__file__).startswith("/tmp/"):
            self.skipTest("this build lies in /tmp")
        mounts = f"mount -t tmpfs -o {shm} none /dev/shm && mount -t tmpfs -o {temporary} none /tmp"
        return [*self.within(mounts, after='[ -z "$(ls -A /dev/shm /tmp | grep -v :)" ]'), *self.refused,
                "env", f"TMPDIR={tmpdir}"]

    def test_are_in_dev_shm(self):
        around = self.places("size=64m", "ro")
        self.expect_patterns(*around, ranks=(1, 2, 4))
        self.expect_allocated(*around, ranks=2)
        alone = run(*around, self.patterns)
        self.assertEqual((alone.returncode, alone.stderr), (0, ""))

    def test_that_are_full_only_make_allocated_memory_private(self):
        self.expect_allocated(*self.places("size=8m", "ro"), ranks=2)

    def test_are_in_a_temporary_folder_where_dev_shm_is_too_small_or_read_only(self):
        for shm in ("size=1m", "ro"):
            self.expect_patterns(*self.places(shm, "size=200m"), ranks=(2, 4))

    def test_are_where_TMPDIR_says_rather_than_in_tmp(self):
        with tempfile.TemporaryDirectory(dir=OPTIONS.build) as folder:
            self.expect_patterns(*self.places("ro", "ro", tmpdir=folder), ranks=(2,))
            self.assertEqual(os.listdir(folder), [])

    def test_may_need_no_memory_that_is_mapped_by_peers(self):
        done = run(*self.places("size=64m", "ro"), self.mpiexec, "-n", 2, self.windows / "active_target")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_whose_lack_is_told_with_all_places(self):
        for words in ((self.mpiexec, "-n", 2, self.patterns), (self.patterns,)):
            done = run(*self.places("size=16k", "ro"), *words)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"cannot create the job segment of \d+ bytes for \d ranks: "
                                          r"memfd_create: Operation not permitted; /dev/shm: No space left on device; "
                                          r"/tmp: Read-only file system\n$")

    def test_of_a_job_that_is_killed_are_gone(self):
        around = self.places("size=64m", "ro")
        done = run(*around, "sh", "-c", f"{self.mpiexec} -n 2 sleep 60 & sleep 1; kill -9 $!; wait; true")
        self.assertEqual(done.returncode, 0, done.stderr)


class SystemCalls(Confined):
    def test_that_copy_between_processes_may_be_refused(self):
        self.expect_patterns(*self.refusing("process_vm_readv,process_vm_writev,ptrace,pidfd_getfd"))
        self.expect_allocated(*self.refusing("process_vm_readv,process_vm_writev"))

    def test_that_copy_what_is_scattered_between_processes_may_be_refused(self):
        for names in ("process_vm_readv,process_vm_writev", "process_vm_writev"):
            with self.subTest(refused=names):
                done = run(*self.refusing(names), self.mpiexec, "-n", 2, self.messages)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_that_copy_what_is_put_and_got_may_be_refused(self):
        for names in ("process_vm_readv,process_vm_writev", "process_vm_writev"):
            for program in ("active_target", "passive_target"):
                with self.subTest(refused=names, program=program):
                    done = run(*self.refusing(names), self.mpiexec, "-n", 3, self.windows / program)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_that_fence_other_processes_may_be_refused(self):
        self.expect_patterns(*self.refusing("membarrier"), ranks=(2, 4))

    def test_that_bind_may_be_refused(self):
        self.expect_patterns(*self.refusing("sched_setaffinity"), ranks=(2,))


class Namespaces(Confined):
    """Ranks in containers of their own, where a process's number means another process, or none."""

    def each_rank_in(self, *flags):
        if not works("unshare", *flags, "true"):
            flags = ("-Ur", *flags)
        if not works("unshare", *flags, "setarch", "-R", "true"):
            self.skipTest(f"this user may not do: unshare {' '.join(flags)} setarch -R")
        # Without randomized addresses, so that what is wrongly copied from oneself is there, and not simply unmapped.
        for ranks in (2, 4):
            with self.subTest(ranks=ranks):
                done = run(self.mpiexec, "-n", ranks, "unshare", *flags, "setarch", "-R", self.patterns)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_of_processes_may_be_one_for_each_rank(self):
        self.each_rank_in("-pf")

    def test_of_users_may_be_one_for_each_rank(self):
        self.each_rank_in("-Ur")


class Users(Confined):
    def test_may_be_root(self):
        if os.geteuid() != 0:
            self.skipTest("this is not root")
        self.expect_patterns()

    def test_may_be_ordinary_without_name_or_home(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become somebody else; the other tests have run as an ordinary user")
        somebody = ["setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups", "--inh-caps=-all",
                    "--bounding-set=-all"]
        if not works(*somebody, "test", "-x", self.patterns):
            self.skipTest(f"setpriv cannot make an ordinary user that may run {self.patterns}")
        clean = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
        self.expect_patterns(*somebody, env=clean, cwd="/")


class Cpus(Confined):
    def test_may_be_one_for_all_ranks(self):
        first = min(os.sched_getaffinity(0))
        self.expect_patterns("taskset", "-c", first, ranks=(1, 2, 4, 16))
        self.assertRegex(run("taskset", "-c", first, self.info).stdout, r"(?m)^usable cpus: +1$")


class ControlGroup:
    """A group of this process's own, below the root of its hierarchy. One that somebody else set up around this
    process is not touched."""

    def __init__(self, test, controller):
        root = pathlib.Path("/sys/fs/cgroup")
        own = re.search(rf"^\d+:[^:]*\b{controller}\b[^:]*:(.*)$", pathlib.Path("/proc/self/cgroup").read_text(), re.M)
        if own:
            root /= controller
        elif controller not in (root / "cgroup.controllers").read_text().split():
            test.skipTest(f"the control groups of this machine have no '{controller}'")
        path = own.group(1) if own else re.search("^0::(.*)$", pathlib.Path("/proc/self/cgroup").read_text(),
                                                  re.M).group(1)
        if path != "/":
            test.skipTest(f"this process is in a '{controller}' group of somebody else's, {path}, which is left alone")
        self.version = 1 if own else 2
        self.folder = root / f"antiphon-test-{os.getpid()}"
        try:
            self.folder.mkdir()
        except OSError as error:
            test.skipTest(f"no control group can be made: {error}")
        test.addCleanup(self.folder.rmdir)

    def limit(self, test, **values):
        try:
            for name, value in values.items():
                (self.folder / name.replace("__", ".")).write_text(str(value))
        except OSError as error:
            test.skipTest(f"no limit can be set: {error}")

    def inside(self):
        return ["sh", "-c", f'echo $$ > {self.folder}/cgroup.procs && exec "$@"', "sh"]


class ControlGroups(Confined):
    def cpus(self, percent):
        group = ControlGroup(self, "cpu")
        if group.version == 1:
            group.limit(self, cpu__cfs_period_us=100_000, cpu__cfs_quota_us=1000 * percent)
        else:
            group.limit(self, cpu__max=f"{1000 * percent} 100000")
        return group.inside()

    def test_with_one_cpu_of_time_bind_nobody_and_make_nobody_spin(self):
        inside = self.cpus(100)
        self.assertRegex(run(*inside, self.info).stdout, r"(?m)^usable cpus: +1$")
        done = run(*inside, self.mpiexec, "--report-bindings", "-n", 2, "true")
        self.assertEqual(done.stderr.count("is not bound"), 2, done.stderr)
        self.expect_patterns(*inside)

    def test_with_a_fraction_of_a_cpu_are_slow_but_enough(self):
        self.expect_patterns(*self.cpus(40), ranks=(2, 4))

    def test_with_too_few_processes_are_told_of(self):
        group = ControlGroup(self, "pids")
        group.limit(self, pids__max=6)
        done = run(*group.inside(), self.mpiexec, "-n", 16, self.patterns)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^mpiexec: cannot start rank \d+ of 16: fork: Resource temporarily unavailable "
                                      r"\(ulimit -u, pids of the container\?\)\n$")

    def memory(self, mebibytes):
        group = ControlGroup(self, "memory")
        group.limit(self, **({"memory__limit_in_bytes": mebibytes << 20} if group.version == 1 else
                             {"memory__max": mebibytes << 20}))
        return group.inside()

    def test_with_little_memory_are_enough(self):
        self.expect_patterns(*self.memory(300), ranks=(2, 4))

    def test_with_very_little_memory_keep_little_of_what_is_freed(self):
        self.expect_allocated(*self.memory(64))


class Limits(Confined):
    def setUp(self):
        if OPTIONS.sanitizer and "address_space" in self.id():
            self.skipTest("a sanitizer needs terabytes of address space")

    def test_of_address_space_are_told_of(self):
        done = run("sh", "-c", 'ulimit -v 100000 && exec "$@"', "sh", self.mpiexec, "-n", 16, self.patterns)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"cannot map the job segment of \d+ bytes: Cannot allocate memory")

    def test_of_address_space_only_make_allocated_memory_private(self):
        self.expect_allocated("sh", "-c", 'ulimit -v 4000000 && exec "$@"', "sh")

    def test_of_file_size_only_make_allocated_memory_private(self):
        self.expect_allocated("sh", "-c", 'ulimit -f 1000000 && exec "$@"', "sh")

    def test_of_open_files_may_be_low(self):
        self.expect_patterns("sh", "-c", 'ulimit -n 32 && exec "$@"', "sh", ranks=(4,))

    def test_of_core_files_and_locked_memory_do_not_matter(self):
        self.expect_patterns("sh", "-c", 'ulimit -c 0 && ulimit -l 0 && exec "$@"', "sh", ranks=(4,))

    def test_of_file_size_do_not_matter_where_they_are_soft(self):
        around = ["sh", "-c", 'ulimit -S -f 1 && exec "$@"', "sh"]
        self.expect_patterns(*around, ranks=(1, 4))
        alone = run(*around, self.patterns)
        self.assertEqual((alone.returncode, alone.stderr), (0, ""))

    def test_of_file_size_are_told_of_where_they_are_hard(self):
        around = ["sh", "-c", 'ulimit -f 1 && exec "$@"', "sh"]
        told = (r"cannot create the job segment of \d+ bytes for \d ranks: its size is limited by ulimit -f, the limit of "
                "file sizes: File too large")
        for words in ([self.mpiexec, "-n", 2, self.patterns], [self.patterns]):
            done = run(*around, *words)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, told)


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--sanitizer", help="what the library was built with, if with any")
    OPTIONS, rest = parser.parse_known_args()
    program = unittest.main(argv=[sys.argv[0], "-v", *rest], exit=False)
    if not program.result.wasSuccessful():
        return 1
    return SKIPPED if len(program.result.skipped) == program.result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
