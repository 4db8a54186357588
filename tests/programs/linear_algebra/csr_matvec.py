"""Sparse matrix (compressed rows) times vector, with a loop over rows and entries."""

import numpy as np

ENTRY = "csr_matvec"
SIZES = {"bench": (25_000, 9), "small": (60, 4)}


def csr_matvec(data, indices, indptr, x):
    n = len(indptr) - 1
    y = np.zeros(n)
    for i in range(n):
        for k in range(indptr[i], indptr[i + 1]):
            y[i] += data[k] * x[indices[k]]
    return y


def setup(n, per_row):
    rng = np.random.default_rng(20)
    counts = rng.integers(0, 2 * per_row, n)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    indices = rng.integers(0, n, indptr[-1])
    return rng.random(indptr[-1]), indices, indptr, rng.random(n)
