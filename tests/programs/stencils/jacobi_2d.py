"""Jacobi iteration in two dimensions with two buffers; PolyBench's jacobi-2d."""

import numpy as np

ENTRY = "jacobi_2d"
SIZES = {"bench": (500, 100), "small": (14, 5)}


def jacobi_2d(TSTEPS, A, B):
    for t in range(1, TSTEPS):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])


def setup(n, steps):
    i, j = np.mgrid[:n, :n]
    return steps, i * (j + 2.0) / n, i * (j + 3.0) / n
