#!/usr/bin/env python3
"""How many instructions a call through antiphon/mpi.hpp costs more than the same call in C: `cost_test.py PROGRAM`.

The program marks stretches of 1,000 repetitions, of which callgrind counts all instructions of the process, MPI's own
among them. Fails where a call costs more than 5 instructions over C.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

LIMIT = 5
# A future looks whether it keeps more than its buffer, or receives. A vector that it owns is moved once more than in C:
# into the future, and out of get().
EXCEPTIONS = {
    "irecv of a span, send, get": 9,
    "isend of a span, recv, get": 9,
    "isend of a moved vector, recv, get": 14,
}
TIMES = 1000


def measured(program: str) -> dict[tuple[str, int], dict[str, float]]:
    """Instructions of a repetition, for each pair's name and number of calls, by language."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program]
        subprocess.run(command, capture_output=True, text=True, check=True)
        pairs = {}
        for dump in pathlib.Path(folder).iterdir():
            text = dump.read_text()
            if found := re.search(r"^desc: Trigger: Client Request: (\S+), (\d+), (.*)$", text, re.MULTILINE):
                total = int(re.search(r"^totals: (\d+)", text, re.MULTILINE)[1])
                pairs.setdefault((found[3], int(found[2])), {})[found[1]] = total / TIMES
    return pairs


def main() -> int:
    pairs = measured(sys.argv[1])
    dear = []
    print(f"{'':36}{'C':>9}{'C++':>9}  more a call")
    for (name, calls), cost in sorted(pairs.items()):
        more = (cost["C++"] - cost["C"]) / calls
        print(f"{name:36}{cost['C']:9.1f}{cost['C++']:9.1f}{more:9.1f}")
        if more > EXCEPTIONS.get(name, LIMIT):
            dear.append(name)
    if not pairs:
        print("nothing was measured", file=sys.stderr)
    if dear:
        print(f"more than {LIMIT} instructions a call over C: {', '.join(dear)}", file=sys.stderr)
    return 1 if dear or not pairs else 0


sys.exit(main())
