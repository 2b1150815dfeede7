#!/usr/bin/env python3
"""Runs one example under mpiexec and checks its exit code, what it prints and the files it leaves.

`run_example.py heat --ranks 4 --mpiexec build/bin/mpiexec --programs build/examples --inputs examples`
"""
import argparse
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Failure(Exception):
    pass


class Job:
    """Starts programs on the ranks asked for, each test in a folder of its own."""

    def __init__(self, arguments, folder):
        self.ranks = arguments.ranks
        self.mpiexec = arguments.mpiexec
        self.programs = arguments.programs.resolve()
        self.inputs = arguments.inputs.resolve()
        self.folder = folder

    def run(self, program, *arguments, status=0, ranks=None):
        command = [self.mpiexec, "-n", str(ranks or self.ranks), self.programs / program, *arguments]
        done = subprocess.run([str(word) for word in command], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=50)
        print(done.stdout, done.stderr, sep="")
        if done.returncode != status:
            raise Failure(f"exit code {done.returncode}, expected {status}")
        return done


def expect(text, pattern):
    found = re.search(pattern, text, re.MULTILINE)
    if not found:
        raise Failure(f"no line matches {pattern!r}")
    return found


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write_grey_png(path, width, height):
    rows = b"".join(b"\0" + bytes((37 * x + 91 * y) % 256 for x in range(width)) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    path.write_bytes(PNG_SIGNATURE + png_chunk(b"IHDR", header) + png_chunk(b"IDAT", zlib.compress(rows)) +
                     png_chunk(b"IEND", b""))


def png_size(path):
    start = path.read_bytes()[:24]
    if start[:8] != PNG_SIGNATURE:
        raise Failure(f"{path.name} is not a PNG file")
    return struct.unpack(">II", start[16:24])


def hello(job):
    lines = job.run("hello").stdout.splitlines()
    greeted = sorted(int(found[1]) for line in lines
                     if (found := re.fullmatch(rf"Hello from rank (\d+) of {job.ranks} on \S+", line)))
    if greeted != list(range(job.ranks)):
        raise Failure(f"greetings from ranks {greeted}")
    expect("\n".join(lines), r"^MPI \d\.\d: \S")


def ring(job):
    token = 20 * job.ranks * (job.ranks - 1) // 2
    expect(job.run("ring", 20).stdout, rf"token {token}, expected {token}: right$")


def halo(job):
    """Heat spreads: no part is as warm as it was, where each began with a cell of 100 degrees."""
    output = job.run("halo", 100).stdout
    expect(output, rf"^100 steps of {200 * job.ranks} cells on {job.ranks} ranks: 0 cells differ")
    parts = re.findall(r"^ +(\d+) +(\d+\.\d+) +(\d+\.\d+)$", output, re.MULTILINE)
    if [int(rank) for rank, _, _ in parts] != list(range(job.ranks)) or any(float(b) >= float(a) for _, a, b in parts):
        raise Failure(f"the table of the parts is wrong:\n{output}")


def hash_table(job):
    output = job.run("hash_table").stdout
    expect(output, rf"^{4000 * job.ranks} draws counted by {job.ranks} ranks, 0 wrong .*: right$")
    counted = [int(count) for count in re.findall(r"^ +\d+ +\d+ +(\d+)$", output, re.MULTILINE)]
    if len(counted) != job.ranks or sum(counted) != 4000 * job.ranks:
        raise Failure(f"the table of the slots is wrong:\n{output}")


def monte_carlo_pi(job):
    """The points, and so the hits, are the same on any number of ranks."""
    hits, hits_alone = (expect(job.run("monte_carlo_pi", 1, ranks=ranks).stdout, r"^(\d+) hits of 1000000 points;")[1]
                        for ranks in (job.ranks, 1))
    if hits != hits_alone:
        raise Failure(f"{hits} hits, but {hits_alone} on one rank")


def conjugate_gradient(job):
    output = job.run("conjugate_gradient", job.inputs / "conjugate_gradient/poisson_24x24.mtx").stdout
    iterations = int(expect(output, r"^(\d+) iterations in .*: solved$")[1])
    if not 45 <= iterations <= 55:
        raise Failure(f"{iterations} iterations; this matrix takes about 50")


def check_heat(job, picture, size, steps):
    output = job.run("heat", picture, "--steps", steps, "--pictures", 2, "--out", "pictures/new", "--check").stdout
    expect(output, r"^check against the serial run: passed")
    expect(output, r"heat is conserved$")
    expect(output, rf"^100%  step +{steps} of {steps} ")
    pictures = sorted((job.folder / "pictures/new").iterdir())
    if [file.name for file in pictures] != [f"heat-{i:04}.png" for i in range(3)]:
        raise Failure(f"pictures: {pictures}")
    sizes = {png_size(file) for file in pictures}
    if sizes != {size}:
        raise Failure(f"pictures of size {sizes}, expected {size}")


def heat(job):
    check_heat(job, job.inputs / "heat/valley.png", (480, 320), steps=50)


def heat_on_a_tiny_picture(job):
    """Fewer cells than ranks, and rectangles of one cell."""
    write_grey_png(job.folder / "tiny.png", 5, 2)
    check_heat(job, "tiny.png", (5, 2), steps=7)


def heat_without_its_picture(job):
    errors = job.run("heat", "missing.png", status=1).stderr
    expect(errors, r"^heat: cannot open 'missing.png': No such file or directory$")


def heat_with_a_bad_option(job):
    errors = job.run("heat", "any.png", "--steps", "many", status=2).stderr
    expect(errors, r"^heat: --steps 'many': expected a number from 0 to \d+$")
    if errors.count("usage:") != 1:
        raise Failure("the usage should be printed once, not by each rank")


def heat_with_a_broken_picture(job):
    (job.folder / "broken.png").write_bytes((job.inputs / "heat/valley.png").read_bytes()[:5000])
    expect(job.run("heat", "broken.png", status=1).stderr, r"^heat: cannot read 'broken.png' as a PNG picture: ")


def conjugate_gradient_with_a_broken_matrix(job):
    (job.folder / "broken.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 4\n3 1 1\n")
    errors = job.run("conjugate_gradient", "broken.mtx", status=1).stderr
    expect(errors, r"^conjugate_gradient: broken.mtx:4: row 3, column 1 is not in a matrix of 2 rows$")


def conjugate_gradient_with_an_indefinite_matrix(job):
    (job.folder / "matrix.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 -3\n")
    expect(job.run("conjugate_gradient", "matrix.mtx", status=1).stdout, r"^the matrix is not positive definite$")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", help="a function of this file")
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--inputs", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            globals()[arguments.case](Job(arguments, pathlib.Path(folder)))
        except (Failure, subprocess.TimeoutExpired) as failure:
            sys.exit(f"{arguments.case} on {arguments.ranks} ranks: {failure}")


if __name__ == "__main__":
    main()
