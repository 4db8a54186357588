"""Forward substitution with a zero on the diagonal: infinities from NumPy's division, and no exception."""

import numpy as np

TWIN_OF = "forward_scalar"
ENTRY = "forward_substitution"
SIZES = {"small": (10,)}


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
    L = np.tril(rng.random((n, n)))
    L[4, 4] = 0.0
    return L, rng.random(n)
