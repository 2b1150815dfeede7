#!/usr/bin/env python3
"""The manual: a page for each exported procedure, in which every parameter is described; no complaint of roff; links that
lead somewhere; examples that run.

manual_test.py --prefix FOLDER --man FOLDER --library FILE --nm PROGRAM [--preload LIBRARY] [unittest arguments]
"""
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPEC = ROOT / "spec"
sys.path[:0] = [str(ROOT / "gen"), str(ROOT / "tests")]

import cxx_binding  # noqa: E402
import emit_manual_html  # noqa: E402
import manual  # noqa: E402
import model  # noqa: E402
import options  # noqa: E402

OPTIONS = options.parse(__doc__, prefix=pathlib.Path, man=pathlib.Path, library=pathlib.Path, nm="nm", preload="")


def interface_and_entries():
    interface = model.load(SPEC)
    return interface, manual.load(SPEC, interface)


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.interface, cls.entries = interface_and_entries()
        cls.folder = OPTIONS.man / "man3"

    def pages(self):
        for path in sorted(self.folder.glob("*.3")):
            text = path.read_text()
            if not text.startswith(".so "):
                yield path, text

    def test_every_exported_procedure_has_a_page_or_a_link_to_one(self):
        command = [OPTIONS.nm, "-D", "--defined-only", OPTIONS.library]
        names = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        exported = set(re.findall(r" (P?MPI_\w+)", names))
        self.assertGreater(len(exported), 900)
        self.assertEqual({path.stem for path in self.folder.glob("*.3")}, exported)

    def test_every_parameter_is_described_and_named_in_the_synopsis(self):
        for procedure in self.interface.existing():
            text = (self.folder / f"{procedure.name}.3").read_text()
            synopsis = text[text.index(".SH SYNOPSIS"):text.index(".SH DESCRIPTION")]
            described = text[text.index(".SH PARAMETERS"):] if procedure.parameters else ""
            with self.subTest(procedure.name):
                for parameter in procedure.parameters:
                    self.assertRegex(described, rf"(?m)^\.B {parameter.name} \((in|out|in and out)\)\n[^.].+\.$")
                    if not parameter.is_variadic():
                        self.assertRegex(synopsis, rf"\b{parameter.name}\b")

    def test_fortran_is_declared_as_the_modules_have_it(self):
        page = (self.folder / "MPI_Igatherv.3").read_text()
        self.assertIn("integer, intent(in), asynchronous :: recvcounts(*)", page)
        # Both are eight bytes long with and without large counts, so there is nothing to overload.
        self.assertNotIn("as an overload", (self.folder / "MPI_Type_get_extent.3").read_text())

    def test_every_page_says_where_to_read_on(self):
        for path, text in self.pages():
            with self.subTest(path.stem):
                self.assertRegex(text, r"MPI 5\.0, chapter \d+ \(")
                if path.stem != "MPI_Pcontrol":  # which is alone
                    self.assertRegex(text, r"\.SH SEE ALSO\n\.nh\n\.BR MPI_")

    def test_links_and_references_lead_to_pages(self):
        for path in self.folder.glob("*.3"):
            for name in re.findall(r"^\.(?:so man3/|BR )(\w+)", path.read_text(), re.M):
                self.assertTrue((self.folder / f"{name}.3").exists(), f"{path.name} names {name}")

    def test_every_page_says_more_than_its_summary(self):
        for name, entry in self.entries.items():
            if entry.procedure.missing:
                continue
            with self.subTest(name):
                self.assertTrue(entry.description, "description")
                self.assertTrue(entry.semantics, "semantics")
                self.assertTrue(entry.example, "example")
                self.assertTrue(all(cause.endswith(".") for cause in entry.errors.values()))

    def test_what_the_manual_says_belongs_to_a_procedure(self):
        procedures = {procedure.name: procedure for procedure in self.interface.procedures()}
        examples = SPEC / "manual" / "examples"
        shown = {path.stem for path in examples.glob("*.c")}
        self.assertLessEqual(shown, set(procedures))
        classes = {error.name for error in self.interface.errors}
        allowed = {"summary", "description", "semantics", "parameters", "errors", "example", "see_also", "like", "replace"}
        for name, page in manual._pages(SPEC / "manual" / "chapters").items():
            with self.subTest(name):
                keys = page.keys
                self.assertLessEqual(set(keys), allowed)
                self.assertLessEqual(set(keys.get("parameters", {})), {p.name for p in procedures[name].parameters})
                self.assertLessEqual(set(keys.get("errors", {})), classes)
                self.assertLessEqual(set(keys.get("see_also", [])), set(procedures))
                if "example" in keys:
                    self.assertIn(keys["example"], shown)

    @unittest.skipUnless(shutil.which("groff"), "there is no groff")
    def test_roff_has_nothing_to_complain_about(self):
        pages = [path for path, _ in self.pages()]
        self.assertEqual(self.complaints(pages), "")

    @unittest.skipUnless(shutil.which("groff"), "there is no groff")
    def test_roff_would_complain(self):
        with tempfile.TemporaryDirectory() as folder:
            bad = pathlib.Path(folder) / "bad.3"
            bad.write_text(".TH bad 3\n.SH NAME\nbad \\- page\n.NO_SUCH request\n")
            self.assertNotEqual(self.complaints([bad]), "")

    @staticmethod
    def complaints(pages):
        return subprocess.run(["groff", "-ww", "-man", "-Tutf8", "-P-c", *pages], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=True).stderr

    @unittest.skipUnless(shutil.which("lexgrog"), "there is no lexgrog")
    def test_man_k_finds_each_procedure_with_its_sentence(self):
        pages = [path for path, _ in self.pages()]
        found = subprocess.run(["lexgrog", *pages], capture_output=True, text=True, check=True).stdout
        for procedure in self.interface.existing():
            for name, _ in procedure.variants():
                self.assertIn(f'"{name} - {self.entries[procedure.name].summary}"', found)

    @unittest.skipUnless(shutil.which("man"), "there is no man")
    def test_man_finds_pages_by_every_name(self):
        for name in ("MPI_Send", "MPI_Send_c", "PMPI_Send", "MPI_Win_post"):
            command = ["man", "--warnings", "-E", "UTF-8", "-M", OPTIONS.man, "3", name]
            page = subprocess.run(command, capture_output=True, text=True, check=True)
            self.assertIn(name.removeprefix("P"), page.stdout)
            self.assertEqual(page.stderr, "")


class Balanced(html.parser.HTMLParser):
    """Collects links, and the tags that are open in the end or closed out of order."""

    def __init__(self):
        super().__init__()
        self.open, self.links, self.wrong = [], [], []

    def handle_starttag(self, tag, attributes):
        if tag != "meta":
            self.open.append(tag)
        self.links += [value for key, value in attributes if key == "href"]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


class Html(unittest.TestCase):
    def test_pages_are_well_formed_and_link_to_each_other(self):
        interface, entries = interface_and_entries()
        pages = emit_manual_html.emit(interface, cxx_binding.load(SPEC, interface), entries)
        self.assertEqual(set(pages), {f"{p.name}.html" for p in interface.existing()} | {"index.html"})
        for name, text in pages.items():
            page = Balanced()
            page.feed(text)
            self.assertEqual((page.open, page.wrong), ([], []), name)
            self.assertLessEqual(set(page.links), set(pages), name)
        self.assertIn("&lt;type&gt; BUF(*)", pages["MPI_Send.html"])


class Examples(unittest.TestCase):
    def test_each_compiles_without_a_warning_and_runs(self):
        preload = ["-x", f"LD_PRELOAD={OPTIONS.preload}"] if OPTIONS.preload else []
        with tempfile.TemporaryDirectory(prefix="antiphon manual ") as folder:
            program = pathlib.Path(folder) / "program"
            for example in sorted((SPEC / "manual" / "examples").glob("*.c")):
                with self.subTest(example.stem):
                    self.assertLessEqual(max(map(len, example.read_text().splitlines())), 118)
                    strict = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
                    mpicc = OPTIONS.prefix / "bin" / "mpicc"
                    subprocess.run([mpicc, *strict, example, "-o", program], check=True, timeout=60)
                    done = subprocess.run([OPTIONS.prefix / "bin" / "mpiexec", *preload, "-n", "3", program],
                                          capture_output=True, text=True, timeout=60)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    if example.stem != "MPI_Init_thread":  # which speaks when it does not get what it wants
                        self.assertNotEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main(argv=OPTIONS.for_unittest)
