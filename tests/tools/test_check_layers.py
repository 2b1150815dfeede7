"""tools/check_layers, with the project's own rules, on small trees."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def run(files: dict[str, str], rules: str | None = None) -> subprocess.CompletedProcess:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "src").mkdir()
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        command = [sys.executable, "-B", str(TOOLS / "check_layers"), "--root", folder]
        if rules is not None:
            (root / "rules.toml").write_text(rules)
            command += ["--rules", str(root / "rules.toml")]
        return subprocess.run(command, capture_output=True, text=True)


class CheckLayers(unittest.TestCase):
    def accepts(self, path: str, include: str) -> None:
        result = run({path: f"#include {include}\n"})
        self.assertEqual((result.returncode, result.stdout), (0, ""), f"{path} includes {include}")

    def refuses(self, path: str, include: str) -> None:
        result = run({path: f"// why\n#include {include}\n"})
        self.assertEqual(result.returncode, 1, f"{path} includes {include}: {result.stdout}{result.stderr}")
        self.assertTrue(result.stdout.startswith(f"{path}:2: "), result.stdout)
        self.assertEqual(len(result.stdout.splitlines()), 1)

    def test_a_layer_sees_what_lies_below_it(self):
        self.accepts("src/platform/a.hpp", '"base/error.hpp"')
        self.accepts("src/transport/shm/a.cpp", '"platform/linux/futex.hpp"')
        self.accepts("src/progress/a.hpp", '"transport/channel.hpp"')
        self.accepts("src/service/a.hpp", '"engine/coll/collectives.hpp"')
        self.accepts("src/api/a.cpp", '"process/process.hpp"')

    def test_a_layer_sees_itself_the_generated_tables_and_the_system(self):
        self.accepts("src/objects/a.hpp", '"objects/comm.hpp"')
        self.accepts("src/base/a.hpp", '"abi/constants.hpp"')
        self.accepts("src/base/a.hpp", "<linux/futex.h>")

    def test_nothing_is_included_upwards_or_sideways(self):
        self.refuses("src/base/a.hpp", '"platform/clock.hpp"')
        self.refuses("src/transport/a.hpp", '"objects/comm.hpp"')
        self.refuses("src/transport/a.hpp", '"bootstrap/bootstrap.hpp"')
        self.refuses("src/objects/a.hpp", '"engine/pt2pt/pt2pt.hpp"')
        self.refuses("src/engine/a.hpp", '"service/contexts.hpp"')
        self.refuses("src/engine/a.hpp", "<api/call.hpp>")

    def test_engines_see_the_contract_of_transports_and_no_transport(self):
        self.accepts("src/engine/a.hpp", '"transport/packet.hpp"')
        self.refuses("src/engine/a.hpp", '"transport/shm/ring.hpp"')

    def test_process_hpp_is_for_process_and_api(self):
        self.accepts("src/process/a.cpp", '"process/process.hpp"')
        self.refuses("src/engine/a.cpp", '"process/process.hpp"')
        self.refuses("src/service/a.cpp", '"process/process.hpp"')
        self.refuses("launch/mpiexec/a.cpp", '"process/process.hpp"')

    def test_mpi_h_is_for_api(self):
        self.accepts("src/api/a.cpp", '"mpi.h"')
        self.refuses("src/process/a.cpp", '"mpi.h"')
        self.refuses("src/engine/a.cpp", "<mpi.h>")

    def test_the_launcher_meets_the_library_in_the_job_segment_only(self):
        result = run({"launch/mpiexec/a.cpp": '#include "mpiexec/a.hpp"\n#include "bootstrap/job_segment.hpp"\n',
                      "launch/mpiexec/a.hpp": '#include "base/error.hpp"\n'})
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.refuses("launch/mpiexec/a.cpp", '"transport/shm/ring.hpp"')

    def test_a_path_cannot_go_around_the_layers(self):
        self.refuses("src/base/a.hpp", '"../engine/a.hpp"')
        self.refuses("src/base/b.hpp", '"error.hpp"')

    def test_a_new_folder_needs_a_layer(self):
        result = run({"src/utilities/a.hpp": ""})
        self.assertEqual(result.returncode, 1)
        self.assertIn("src/utilities", result.stdout)

    def test_rules_that_go_in_a_circle_are_refused(self):
        layer = '[layer.{0}]\nfolder = "src/{0}"\nmay_include = ["{1}"]\n'
        result = run({}, layer.format("a", "b") + layer.format("b", "a"))
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn("circle", result.stderr)


if __name__ == "__main__":
    unittest.main()
