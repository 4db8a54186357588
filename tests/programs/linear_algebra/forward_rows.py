"""Forward substitution with a dot product a row; PolyBench's trisolv."""

import numpy as np

ENTRY = "trisolv"
SIZES = {"bench": (5500,), "small": (40,)}


def trisolv(L, b):
    n = len(b)
    x = np.zeros_like(b)
    for i in range(n):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]
    return x


def setup(n):
    rng = np.random.default_rng(11)
    L = np.tril(rng.random((n, n)))
    L /= n
    L[np.diag_indices(n)] += 1.0
    return L, rng.random(n)
