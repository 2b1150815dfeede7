"""Generates the manual from spec/: pages for man, and the same as HTML. Usage:
generate_manual.py --spec spec [--man FOLDER] [--html FOLDER] [--stamp FILE]"""

from __future__ import annotations

import argparse
from pathlib import Path

import cxx_binding
import emit_man
import emit_manual_html
import manual
import model
from text import write_if_changed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", type=Path, required=True)
    parser.add_argument("--man", type=Path, help="folder that gets man1, man3 and man7")
    parser.add_argument("--html", type=Path)
    parser.add_argument("--stamp", type=Path, help="file to touch when done")
    options = parser.parse_args()
    interface = model.load(options.spec)
    entries, binding = manual.load(options.spec, interface), cxx_binding.load(options.spec, interface)
    if options.man:
        for name, content in emit_man.emit(interface, binding, entries, manual.load_pages(options.spec)).items():
            write_if_changed(options.man / name, content)
    if options.html:
        for name, content in emit_manual_html.emit(interface, binding, entries).items():
            write_if_changed(options.html / name, content)
    if options.stamp:
        options.stamp.touch()


if __name__ == "__main__":
    main()
