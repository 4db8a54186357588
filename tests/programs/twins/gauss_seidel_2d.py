"""Gauss and Seidel's iteration; PolyBench's seidel-2d with slices where they are allowed."""

import numpy as np

TWIN_OF = "jacobi_2d"
ENTRY = "seidel_2d"
SIZES = {"small": (4, 12)}


def seidel_2d(TSTEPS, N, A):
    for t in range(TSTEPS - 1):
        for i in range(1, N - 1):
            A[i, 1:-1] += A[i - 1, :-2] + A[i - 1, 1:-1] + A[i - 1, 2:] + A[i, 2:]
            A[i, 1:-1] += A[i + 1, :-2] + A[i + 1, 1:-1] + A[i + 1, 2:]
            for j in range(1, N - 1):
                A[i, j] += A[i, j - 1]
                A[i, j] /= 9.0


def setup(steps, n):
    i, j = np.mgrid[:n, :n]
    return steps, n, (i * (j + 2) + 2) / n
