"""Sparse matrix times vector with a column that counts from the end and one that does not exist."""

import numpy as np

TWIN_OF = "csr_matvec"
ENTRY = "csr_matvec"
SIZES = {"small": (12,)}


def csr_matvec(data, indices, indptr, x, y):
    for i in range(len(indptr) - 1):
        for k in range(indptr[i], indptr[i + 1]):
            y[i] += data[k] * x[indices[k]]
    return y


def setup(n):
    rng = np.random.default_rng(20)
    indices = rng.integers(0, n, 3 * n)
    indices[4], indices[20] = -2, n
    return rng.random(3 * n), indices, np.arange(0, 3 * n + 1, 3), rng.random(n), np.zeros(n)
