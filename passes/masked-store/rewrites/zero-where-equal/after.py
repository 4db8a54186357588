"""The last line of an escape-time fractal: lanes that never escaped get 0."""

import numpy as np


def clear_unescaped(size: int, maxiter: int):
    N = np.arange(size, dtype=np.int64) % 7
    kept = N[::2]
    N[...] = np.where(N == maxiter - 1, 0, N)
    return N, kept


def cases():
    for size in (0, 1, 5, 40):
        for maxiter in (0, 1, 4, 2**70):
            yield "clear_unescaped", (size, maxiter)
