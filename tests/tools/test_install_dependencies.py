"""tools/install_dependencies and tools/apt_get with an apt-get that fails in the ways that apt-get has."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
LISTS_LOCKED = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 123 (apt-get)"
DPKG_LOCKED = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 123 (dpkg)"
ARCHIVES_LOCKED = "E: Unable to lock directory /var/cache/apt/archives/"
NOT_FETCHED = "E: Failed to fetch http://example.org/libfmt-dev.deb  Connection timed out"

# Each call writes its words into a file and takes the next of its subcommand's answers: what it says, and fails; or
# nothing left, and succeeds.
APT_GET = """#!/bin/sh
for word; do case $word in update|install) command=$word; break ;; esac; done
echo "$*" >>"$FAKE/calls"
answers=$FAKE/$command
[ -s "$answers" ] || exit 0
head -n 1 "$answers" >&2
sed -i 1d "$answers"
exit 100
"""


class InstallDependencies(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.fake = Path(folder.name)
        self.add_program("apt-get", APT_GET)
        self.add_program("dpkg-query", "#!/bin/sh\nexit 1\n")
        self.add_program("sudo", "#!/bin/sh\nexec \"$@\"\n")
        self.add_program("sleep", "#!/bin/sh\necho slept >>\"$FAKE/slept\"\n")

    def add_program(self, name: str, text: str):
        (self.fake / name).write_text(text)
        (self.fake / name).chmod(0o755)

    def install(self, *words: str, update=(), install=()) -> subprocess.CompletedProcess:
        for name, answers in ("update", update), ("install", install):
            (self.fake / name).write_text("".join(f"{answer}\n" for answer in answers))
        environment = os.environ | {"PATH": f"{self.fake}:{os.environ['PATH']}", "FAKE": str(self.fake)}
        return subprocess.run([TOOLS / "install_dependencies", *words], env=environment, capture_output=True, text=True)

    def calls(self) -> list[str]:
        path = self.fake / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def test_names_what_it_installs_and_installs_it_after_an_update(self):
        done = self.install()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Installing: g++ cmake", done.stdout)
        self.assertEqual(["update" in call for call in self.calls()], [True, False])
        self.assertIn("install -y --no-install-recommends g++ cmake", self.calls()[1])

    def test_installs_for_each_purpose_what_it_needs(self):
        optional = {"gfortran", "libpng-dev", "libgtest-dev", "libboost-context-dev"}
        for words, wanted in ((), {"gfortran"}), (("demo",), {"libpng-dev"}), (("tests",), optional):
            with self.subTest(words):
                self.assertEqual(optional & set(self.install(*words).stdout.split()), wanted)

    def test_does_nothing_when_all_is_there(self):
        self.add_program("dpkg-query", "#!/bin/sh\necho install ok installed\n")
        done = self.install("tests")
        self.assertEqual((done.returncode, done.stdout, done.stderr, self.calls()), (0, "", "", []))

    def test_waits_for_each_lock_and_says_so(self):
        for lock, held in ("update", LISTS_LOCKED), ("install", DPKG_LOCKED), ("install", ARCHIVES_LOCKED):
            with self.subTest(held):
                done = self.install(**{lock: [held] * 20})
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr.splitlines(), ["Waiting for another package manager to finish:", held])

    def test_does_not_wait_for_a_lock_for_ever(self):
        done = self.install(install=[DPKG_LOCKED] * 1000)
        self.assertEqual(done.returncode, 1)
        self.assertIn(DPKG_LOCKED, done.stderr.splitlines()[-1])

    def test_fetches_once_more_what_could_not_be_fetched(self):
        done = self.install(install=[NOT_FETCHED])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(NOT_FETCHED, done.stderr)
        self.assertEqual(sum("install -y" in call for call in self.calls()), 2)

    def test_fails_with_the_reason_after_a_second_failure(self):
        done = self.install(install=[NOT_FETCHED] * 2)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.splitlines()[-1], NOT_FETCHED)

    def test_goes_on_with_the_lists_that_are_there_when_none_can_be_fetched(self):
        done = self.install(update=[NOT_FETCHED] * 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Going on with the lists", done.stderr)

    def test_refuses_a_word_that_it_does_not_know(self):
        done = self.install("test")
        self.assertEqual((done.returncode, self.calls()), (2, []))
        self.assertIn("'test' is neither demo nor tests", done.stderr)


if __name__ == "__main__":
    unittest.main()
