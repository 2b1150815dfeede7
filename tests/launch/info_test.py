#!/usr/bin/env python3
"""antiphon-info against what it talks about: mpi.h, and the names that the library exports.

info_test.py --build FOLDER --nm PROGRAM [unittest arguments]
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import options  # noqa: E402

OPTIONS = options.parse(__doc__, build=pathlib.Path, nm="nm")
ROOT = pathlib.Path(__file__).resolve().parents[2]


def info(*words, env=None):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ANTIPHON_")}
    return subprocess.run([OPTIONS.build / "bin" / "antiphon-info", *words], capture_output=True, text=True, timeout=60,
                          env={**clean, **(env or {})})


class Info(unittest.TestCase):
    def setUp(self):
        self.library = OPTIONS.build / "lib" / "libmpi_abi.so.1"
        names = subprocess.run([OPTIONS.nm, "-D", "--defined-only", self.library], capture_output=True, text=True,
                               check=True).stdout
        self.exported = set(re.findall(r" (MPI_\w+)", names))
        header = (OPTIONS.build / "include" / "mpi.h").read_text()
        header = re.sub(r"(?m)^.*\n +__attribute__\(\(unavailable.*$", "", header)  # what the standard removed
        declared = set(re.findall(r"(?m)^\w[\w *]*?\b(MPI_[A-Z]\w*)\(", header))
        self.declared = {name for name in declared if not re.search("Status_.*2", name)}  # those are with Fortran's

    def test_what_is_missing_is_what_the_header_declares_and_the_library_lacks(self):
        missing = {entry["name"] for entry in json.loads(info("--missing", "--json").stdout)}
        self.assertGreater(len(self.declared), 600)
        self.assertEqual(missing & self.exported, set())
        self.assertLessEqual(missing, self.declared)
        self.assertEqual(missing | self.exported, self.declared | self.exported)

    def test_the_text_names_the_same_procedures_below_their_chapters(self):
        entries = json.loads(info("--missing", "--json").stdout)
        lines = info("--missing").stdout.splitlines()
        self.assertEqual([line.strip() for line in lines if line.startswith("  ")], [e["name"] for e in entries])
        self.assertEqual([line[:-1] for line in lines if line.endswith(":")], list(dict.fromkeys(e["chapter"] for e in entries)))

    def test_the_installation_is_described(self):
        facts = json.loads(info("--json").stdout)
        self.assertEqual((facts["mpi_version"], facts["abi_version"], facts["soname"]), ("5.0", "1.0", "libmpi_abi.so.1"))
        self.assertEqual(pathlib.Path(facts["library"]).resolve(), self.library.resolve())
        self.assertIn(facts["version"], facts["library_version"])
        self.assertLessEqual({"self", "shm"}, set(facts["transports"]))
        self.assertNotIn("sim", facts["transports"])
        self.assertGreaterEqual(facts["usable_cpus"], 1)
        self.assertEqual(facts["procedures"], len(self.exported))
        text = info().stdout
        for name, value in facts.items():
            shown = ", ".join(value) if isinstance(value, list) else str(value) or "none"
            self.assertRegex(text, f"(?m)^{name.replace('_', ' ')}: +{re.escape(shown)}$")

    def test_collectives_are_chosen_by_the_least_predicted_time_unless_another_one_is_asked_for(self):
        rows = json.loads(info("--collectives", "--json").stdout)
        settings = tomllib.loads((ROOT / "spec" / "cvars.toml").read_text())
        operations = [name.removesuffix("_algorithm") for name in settings if name.endswith("_algorithm")]
        self.assertEqual(list(dict.fromkeys(row["operation"] for row in rows)), operations)
        for row in rows:
            self.assertEqual(row["chosen"], min(row["predicted_us"], key=row["predicted_us"].get), row)
            self.assertLessEqual(set(row["predicted_us"]), set(settings[f"{row['operation']}_algorithm"]["choices"]))
        self.assertNotIn("spread", {name for row in rows if row["operation"] == "allgather" for name in row["predicted_us"]})
        asked = json.loads(info("--collectives", "--json", env={"ANTIPHON_BCAST_ALGORITHM": "chain"}).stdout)
        self.assertEqual({row["chosen"] for row in asked if row["operation"] == "bcast"}, {"chain"})
        self.assertEqual([row for row in asked if row["operation"] != "bcast"],
                         [row for row in rows if row["operation"] != "bcast"])
        text = info("--collectives", env={"ANTIPHON_BCAST_ALGORITHM": "chain"}).stdout
        self.assertEqual(text.count("chain (set)"), sum(row["operation"] == "bcast" for row in rows))

    def test_every_setting_is_shown_with_its_value_and_what_is_valid(self):
        listed = json.loads(info("--settings", "--json").stdout)
        self.assertEqual([entry["name"] for entry in listed],
                         list(tomllib.loads((ROOT / "spec" / "cvars.toml").read_text())))
        text = info("--settings").stdout
        for entry in listed:
            self.assertEqual(entry["value"], entry["default"], entry)
            self.assertIn(f"\n{entry['name']} = {entry['value']}\n", "\n" + text)
            self.assertIn(f"    default: {entry['default']}; valid: {entry['valid']}; ", text)

    def test_a_setting_is_shown_as_the_environment_has_it(self):
        self.assertIn("\nwait_turn = 3ms\n", info("--settings", env={"ANTIPHON_WAIT_TURN": "3000us"}).stdout)
        done = info("--settings", env={"ANTIPHON_WAIT_TRUN": "3ms"})
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, "^antiphon-info: 'ANTIPHON_WAIT_TRUN' is not a setting, did you mean 'ANTIPHON_WAIT_TURN'")

    def test_output_that_cannot_be_written_is_told(self):
        for words in ([], ["--missing"], ["--settings"], ["--settings", "--json"], ["--collectives"], ["--help"]):
            with self.subTest(words=words), open("/dev/full", "w") as full:
                done = subprocess.run([OPTIONS.build / "bin" / "antiphon-info", *words], stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual((done.returncode, done.stderr),
                                 (1, "antiphon-info: cannot write output: No space left on device (stdout)\n"))

    def test_an_unknown_option_is_told_with_the_nearest(self):
        done = info("--mising")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"unknown option '--mising', did you mean '--missing'\? \(valid: --missing, --settings, ")


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
