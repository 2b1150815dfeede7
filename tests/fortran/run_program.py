#!/usr/bin/env python3
"""Compiles a program with mpifort, with every check that the compiler has, and runs it under mpiexec.

run_program.py --build FOLDER --flavour f08|mpi|mpif --ranks 1 3 --sources a.f90 b.F90 c.c d.cpp [--flags WORDS] [--preload LIBRARY]
               [--valgrind PROGRAM]
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
STRICT = ["-g", "-fcheck=all", "-fimplicit-none", "-w"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--flavour", required=True)
    parser.add_argument("--ranks", type=int, nargs="+", required=True)
    parser.add_argument("--sources", nargs="+", required=True)
    parser.add_argument("--flags", default="")
    parser.add_argument("--preload", default="")
    parser.add_argument("--valgrind", help="runs the ranks under it, which must have nothing to say")
    options = parser.parse_args()
    tools = options.build / "bin"
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for source in options.sources:
            objects.append(pathlib.Path(folder) / f"{source}.o")
            in_fortran = [tools / "mpifort", *STRICT, *options.flags.split(), f"-D{options.flavour.upper()}"]
            wrapper = {".c": [tools / "mpicc"], ".cpp": [tools / "mpicxx"]}.get(pathlib.Path(source).suffix, in_fortran)
            subprocess.run([*wrapper, "-c", HERE / source, "-o", objects[-1]], cwd=folder, check=True)
        program = pathlib.Path(folder) / "program"
        in_cxx = ["-lstdc++"] if any(source.endswith(".cpp") for source in options.sources) else []
        subprocess.run([tools / "mpifort", *objects, *in_cxx, "-o", program], check=True)
        preload = ["-x", f"LD_PRELOAD={options.preload}"] if options.preload else []
        checked = [options.valgrind, "-q", "--error-exitcode=9"] if options.valgrind else []
        for ranks in options.ranks:
            words = [tools / "mpiexec", *preload, "-n", str(ranks), *checked, program]
            done = subprocess.run(words, capture_output=True, text=True, timeout=120)
            if done.returncode or done.stdout or done.stderr:
                sys.exit(f"{ranks} ranks: ended with {done.returncode}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
