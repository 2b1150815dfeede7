"""Generates everything that follows from spec/: headers, entry points, export list. Files that stay the same are not
touched. Usage: generate.py --spec spec --out build/generated [--stamp FILE]"""

from __future__ import annotations

import argparse
from pathlib import Path

import counters
import cxx_binding
import emit_bodies
import emit_constants
import emit_counters
import emit_entries
import emit_error_strings
import emit_exports
import emit_fortran_entries
import emit_fortran_modules
import emit_mpi_h
import emit_mpicxx
import emit_procedures
import emit_settings
import model
import settings
from text import write_if_changed

_STATIC = Path(__file__).resolve().parent / "static"
_MPICXX = Path(__file__).resolve().parents[1] / "bindings" / "mpicxx"


def outputs(interface: model.Interface) -> dict[str, str]:
    """Path below the output folder -> content."""
    entries = {
        f"entries_{chapter}.cpp": emit_entries.emit(chapter, procedures)
        for chapter, procedures in interface.chapters.items()
    }
    fortran_entries = {
        f"fortran/entries_{chapter}.cpp": emit_fortran_entries.emit(interface, chapter) for chapter in interface.chapters
    }
    fortran_modules = {f"fortran/{name}": text for name, text in emit_fortran_modules.emit(interface).items()}
    copies = {str(path.relative_to(_STATIC)): path.read_text() for path in _STATIC.rglob("*.hpp")}
    return {
        "include/mpi.h": emit_mpi_h.emit(interface),
        "include/mpif.h": emit_fortran_modules.emit_mpif_h(interface),
        "abi/constants.hpp": emit_constants.emit(interface),
        "abi/error_strings.hpp": emit_error_strings.emit(interface),
        "api/bodies.hpp": emit_bodies.emit(interface),
        "api/procedures.hpp": emit_procedures.emit(interface),
        "exports.map": emit_exports.emit(interface),
        **entries,
        **fortran_entries,
        **fortran_modules,
        **copies,
    }


def mpicxx_outputs(interface: model.Interface, spec: Path) -> dict[str, str]:
    binding = cxx_binding.existing(cxx_binding.load(spec, interface))
    by_hand = {f"include/{path.relative_to(_MPICXX)}": path.read_text() for path in _MPICXX.rglob("*.h")}
    return {"include/antiphon/mpicxx/classes.h": emit_mpicxx.emit(interface, binding), **by_hand}


def settings_outputs(spec: Path) -> dict[str, str]:
    all_settings = settings.load(spec)
    return {
        "settings/values.hpp": emit_settings.emit_values(all_settings),
        "settings/digest.hpp": emit_settings.emit_digest(all_settings),
        "settings/table.hpp": emit_settings.emit_table(all_settings),
    }


def counters_outputs(spec: Path) -> dict[str, str]:
    all_counters = counters.load(spec)
    return {
        "counters/counters.hpp": emit_counters.emit_struct(all_counters),
        "counters/table.hpp": emit_counters.emit_table(all_counters),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--stamp", type=Path, help="file to touch when done")
    options = parser.parse_args()
    interface = model.load(options.spec)
    everything = (
        outputs(interface)
        | mpicxx_outputs(interface, options.spec)
        | settings_outputs(options.spec)
        | counters_outputs(options.spec)
    )
    for name, content in everything.items():
        write_if_changed(options.out / name, content)
    if options.stamp:
        options.stamp.touch()


if __name__ == "__main__":
    main()
