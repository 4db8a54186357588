"""Forward substitution as two scalar loops, as a textbook's pseudo-code is typed in."""

import numpy as np

ENTRY = "forward_substitution"
SIZES = {"bench": (900,), "small": (30,)}


def forward_substitution(L, b):
    n = len(b)
    x = np.zeros(n)
    for i in range(n):
        s = 0.0
        for j in range(i):
            s += L[i, j] * x[j]
        x[i] = (b[i] - s) / L[i, i]
    return x


def setup(n):
    rng = np.random.default_rng(12)
    L = np.tril(rng.random((n, n))) / n + np.eye(n)
    return L, rng.random(n)
