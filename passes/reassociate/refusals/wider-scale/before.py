"""A NumPy scalar widens the matrix before it is multiplied."""

import numpy as np


def scaled(n):
    A = np.ones((n, n), dtype=np.float32)
    x = np.ones(n, dtype=np.float32)
    alpha = np.float64(0.1)
    return alpha * A @ x


def cases():
    yield "scaled", (30,)
