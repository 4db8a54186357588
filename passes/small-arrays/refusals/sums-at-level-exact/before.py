"""BLAS adds the products of a row in an order of its own."""

import numpy as np


def mixed(n: int, m: int):
    x, weights = np.ones((n, m)), np.full((m, m), 0.1)
    total = np.zeros(n)
    for i in range(1, n):
        x[i] = x[i - 1] @ weights
        total[i] = x[i].sum()
        x[i] /= total[i]
    return x, total


def cases():
    yield "mixed", (5, 3)
