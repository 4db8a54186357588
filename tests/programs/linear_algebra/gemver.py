"""Vector multiplication and matrix addition; PolyBench's gemver in array code."""

import numpy as np

ENTRY = "gemver"
SIZES = {"bench": (2500,), "small": (30,)}


def gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    A += np.outer(u1, v1) + np.outer(u2, v2)
    x += beta * y @ A + z
    w += alpha * A @ x
    return w


def setup(n):
    rng = np.random.default_rng(2)
    vectors = [rng.random(n) / n for _ in range(8)]
    return 1.5, 1.2, rng.random((n, n)) / n, *vectors
