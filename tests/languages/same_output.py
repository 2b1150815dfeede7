#!/usr/bin/env python3
"""Builds one program in every language by the wrappers, runs all of them, and compares what they print with what that in C
prints.

same_output.py TOPIC --build FOLDER --ranks 1 3 [--fortran] [--preload LIBRARY]
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FORTRAN = ["mpifort", "-g", "-fcheck=all", "-w", f"-I{HERE.parent / 'fortran'}", "say.f90"]
PROGRAMS = {
    "C": ["mpicc", "-Wall", "-Wextra", "{topic}.c"],
    "C++ of MPI-2.2": ["mpicxx", "-std=c++11", "-Wall", "-Wextra", "{topic}_mpi22.cpp"],
    "C++20": ["mpicxx", "-std=c++20", "-Wall", "-Wextra", "{topic}.cpp"],
}
PROGRAMS_IN_FORTRAN = {
    "mpi_f08": [*FORTRAN, "-DF08", "{topic}.F90"],
    "mpi": [*FORTRAN, "-DMPI", "{topic}.F90"],
    "mpif.h": [*FORTRAN, "{topic}.F90"],
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("topic")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--ranks", type=int, nargs="+", required=True)
    parser.add_argument("--fortran", action="store_true")
    parser.add_argument("--preload", default="")
    options = parser.parse_args()
    tools = options.build / "bin"
    launch = [tools / "mpiexec", *(["-x", f"LD_PRELOAD={options.preload}"] if options.preload else [])]
    printed: dict[int, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for language, (wrapper, *words) in (PROGRAMS | (PROGRAMS_IN_FORTRAN if options.fortran else {})).items():
            program = pathlib.Path(folder) / "program"
            sources = [HERE / word if "." in word and not word.startswith("-") else word
                       for word in (word.format(topic=options.topic) for word in words)]
            subprocess.run([tools / wrapper, *sources, "-o", program], cwd=folder, check=True)
            for ranks in options.ranks:
                command = [*launch, "-n", str(ranks), program]
                lines = sorted(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=60).stdout.splitlines())
                if len(lines) < ranks or lines != printed.setdefault(ranks, lines):
                    print(f"{language} on {ranks} ranks", *lines, "and C", *printed[ranks], sep="\n")
                    return 1
    return 0


sys.exit(main())
