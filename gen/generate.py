"""Generates everything that follows from spec/: headers, entry points, export list. Files that stay the same are not
touched. Usage: generate.py --spec spec --bodies src/api --out build/generated [--stamp FILE]"""

from __future__ import annotations

import argparse
from pathlib import Path

import emit_bodies
import emit_constants
import emit_entries
import emit_error_strings
import emit_exports
import emit_mpi_h
import emit_procedures
import model
import scan
from text import write_if_changed

_STATIC = Path(__file__).resolve().parent / "static"


def outputs(
    interface: model.Interface,
    bodies: set[str],
    fast: set[str] = frozenset(),
    beside: emit_entries.Beside = emit_entries.Beside(),
) -> dict[str, str]:
    """Path below the output folder -> content. `fast`: the bodies before which a fast path is tried."""
    entries = {
        f"entries_{chapter}.cpp": emit_entries.emit(chapter, procedures, bodies, fast, beside)
        for chapter, procedures in interface.chapters.items()
    }
    copies = {str(path.relative_to(_STATIC)): path.read_text() for path in _STATIC.rglob("*.hpp")}
    return {
        "include/mpi.h": emit_mpi_h.emit(interface),
        "abi/constants.hpp": emit_constants.emit(interface),
        "abi/error_strings.hpp": emit_error_strings.emit(interface),
        "api/bodies.hpp": emit_bodies.emit(interface, bodies),
        "api/procedures.hpp": emit_procedures.emit(interface, bodies),
        "exports.map": emit_exports.emit(interface, bodies),
        **entries,
        **copies,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", type=Path, required=True)
    parser.add_argument("--bodies", type=Path, required=True, help="folder whose *.cpp define the bodies, and fast.hpp fast paths")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--stamp", type=Path, help="file to touch when done")
    options = parser.parse_args()
    interface = model.load(options.spec)
    names = {procedure.body_name() for procedure in interface.procedures()}
    bodies, fast = scan.bodies_under(options.bodies, names), scan.fast_paths_under(options.bodies, names)
    beside = emit_entries.Beside(
        tried=scan.paths_beside_under(options.bodies, names), bodies=scan.bodies_beside_under(options.bodies, names)
    )
    for name, content in outputs(interface, bodies, fast, beside).items():
        write_if_changed(options.out / name, content)
    if options.stamp:
        options.stamp.touch()


if __name__ == "__main__":
    main()
