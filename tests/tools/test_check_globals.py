"""tools/check_globals on objects and libraries compiled for the purpose."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
CXX = os.environ.get("CXX", "c++")

ALLOWED = (
    "namespace antiphon::api { struct Current { void* process; }; Current current; }\n"
    "namespace antiphon::base { struct MemoryReserve { void* piece; }; MemoryReserve memory_reserve; }\n"
)
INNOCENT = """
#include <stdexcept>
struct Base { virtual ~Base() = default; virtual int run() { return 1; } };
struct Derived : Base { int run() override { return 2; } };
Base* make() { return new Derived; }
constexpr const char* kNames[] = {"one", "two"};
static const int kTable[] = {1, 2, 3};
const char* name(int i) { return i < 2 ? kNames[i] : throw std::runtime_error("no"); }
int entry(int i) { static constexpr int kLocal[] = {4, 5}; return kTable[i] + kLocal[i]; }
"""


class CheckGlobals(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def compile(self, name: str, source: str) -> Path:
        path = Path(self.folder.name) / name
        path.with_suffix(".cpp").write_text(source)
        subprocess.run([CXX, "-std=c++20", "-O1", "-fPIC", "-c", path.with_suffix(".cpp"), "-o", path], check=True)
        return path

    def check(self, *files: Path) -> subprocess.CompletedProcess:
        command = [sys.executable, "-B", str(TOOLS / "check_globals"), *map(str, files)]
        return subprocess.run(command, capture_output=True, text=True)

    def refuses(self, source: str, name: str):
        result = self.check(self.compile("current.o", ALLOWED), self.compile("sample.o", source))
        self.assertEqual(result.returncode, 1, f"{source}: {result.stdout}{result.stderr}")
        self.assertIn(f"{name} is a mutable global", result.stdout)

    def test_code_constants_and_virtual_tables_are_no_globals(self):
        result = self.check(self.compile("current.o", ALLOWED), self.compile("sample.o", INNOCENT))
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_every_kind_of_mutable_global_is_found(self):
        self.refuses("namespace a { int counter; }", "a::counter")
        self.refuses("namespace a { int counter = 7; }", "a::counter")
        self.refuses("static int hidden; int next() { return ++hidden; }", "hidden")
        self.refuses("namespace { int hidden = 3; } int next() { return ++hidden; }", "(anonymous namespace)::hidden")
        self.refuses("thread_local int each = 1; int next() { return ++each; }", "each")
        self.refuses("int next() { static int calls; return ++calls; }", "next()::calls")
        self.refuses("inline int shared; int next() { return ++shared; }", "shared")
        self.refuses("template <class T> struct S { static inline T value; }; int* at() { return &S<int>::value; }",
                     "S<int>::value")
        self.refuses("extern const char* const texts[]; const char* current_text = texts[0];", "current_text")

    def test_a_constant_that_is_made_at_start_up_is_found(self):
        self.refuses("int read(); extern const int kAtStart; const int kAtStart = read();", "kAtStart")

    def test_a_global_is_found_inside_a_library(self):
        library = Path(self.folder.name) / "libsample.a"
        members = [self.compile("clean.o", INNOCENT), self.compile("dirty.o", "int counter;")]
        subprocess.run(["ar", "rcs", library, *members], check=True)
        result = self.check(self.compile("current.o", ALLOWED), library)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stdout.splitlines()), 1, result.stdout)

    def test_an_entry_of_the_allow_list_that_is_used_no_more_is_told(self):
        result = self.check(self.compile("sample.o", INNOCENT))
        self.assertEqual(result.returncode, 1)
        self.assertIn("antiphon::api::current is allowed but was found nowhere", result.stdout)

    def test_looking_at_nothing_is_no_success(self):
        self.assertEqual(self.check(Path(self.folder.name) / "absent.a").returncode, 2)
        self.assertEqual(self.check().returncode, 2)


if __name__ == "__main__":
    unittest.main()
