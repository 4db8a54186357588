"""Sum of two scaled matrix-vector products; PolyBench's gesummv."""

import numpy as np

ENTRY = "gesummv"
SIZES = {"bench": (4000,), "small": (40,)}


def gesummv(alpha, beta, A, B, x):
    return alpha * A @ x + beta * B @ x


def setup(n):
    rng = np.random.default_rng(5)
    return 1.5, 1.2, rng.random((n, n)), rng.random((n, n)), rng.random(n)
