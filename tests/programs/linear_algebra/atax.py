"""A matrix times its transpose times a vector, and the biconjugate kernel; PolyBench's atax and bicg."""

import numpy as np

ENTRY = "atax_bicg"
SIZES = {"bench": (4000, 3500), "small": (30, 24)}


def atax_bicg(A, x, p, r):
    y = (A @ x) @ A
    s = r @ A
    q = A @ p
    return y, s, q


def setup(m, n):
    rng = np.random.default_rng(3)
    return rng.random((m, n)), rng.random(n), rng.random(n), rng.random(m)
