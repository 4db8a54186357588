"""General matrix product with scaling, C = alpha A B + beta C; PolyBench's gemm in array code."""

import numpy as np

ENTRY = "gemm"
SIZES = {"bench": (900, 1000, 1100), "small": (20, 25, 30)}


def gemm(alpha, beta, C, A, B):
    C[:] = alpha * A @ B + beta * C


def setup(ni, nj, nk):
    rng = np.random.default_rng(1)
    return 1.5, 1.2, rng.random((ni, nj)), rng.random((ni, nk)), rng.random((nk, nj))
