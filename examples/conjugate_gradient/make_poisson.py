#!/usr/bin/env python3
"""Writes the matrix of the 2-D Poisson equation on an N x N grid in Matrix Market form: `make_poisson.py 24 > poisson_24x24.mtx`."""
import sys

n = int(sys.argv[1])
entries = []  # the lower triangle, column by column, counted from 1
for cell in range(n * n):
    x = cell % n
    entries.append((cell + 1, cell + 1, 4))
    if x + 1 < n:
        entries.append((cell + 2, cell + 1, -1))
    if cell + n < n * n:
        entries.append((cell + n + 1, cell + 1, -1))

print("%%MatrixMarket matrix coordinate real symmetric")
print(f"% Five-point Laplacian on a {n} x {n} grid, zero on the boundary; symmetric positive definite.")
print(n * n, n * n, len(entries))
for entry in entries:
    print(*entry)
