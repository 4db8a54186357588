"""Jacobi iteration in one dimension with two buffers; PolyBench's jacobi-1d."""

import numpy as np

ENTRY = "jacobi_1d"
SIZES = {"bench": (12_000, 3000), "small": (60, 7)}


def jacobi_1d(A, B, steps):
    for _ in range(steps):
        B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
        A, B = B, A
    return A


def setup(n, steps):
    A = np.random.default_rng(30).random(n)
    return A, A.copy(), steps
