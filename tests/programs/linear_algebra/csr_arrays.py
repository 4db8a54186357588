"""Sparse matrix (compressed rows) times vector by gathering and `np.add.reduceat`, several times over."""

import numpy as np

ENTRY = "smooth"
SIZES = {"bench": (200_000, 7, 8), "small": (80, 5, 3)}


def spmv(data, indices, indptr, x):
    return np.add.reduceat(data * x[indices], indptr[:-1])


def smooth(data, indices, indptr, x, sweeps):
    for _ in range(sweeps):
        x = 0.5 * x + 0.5 * spmv(data, indices, indptr, x)
    return x


def setup(n, per_row, sweeps):
    rng = np.random.default_rng(21)
    counts = rng.integers(1, 2 * per_row, n)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    indices = rng.integers(0, n, indptr[-1])
    data = rng.random(indptr[-1]) / np.repeat(counts, counts)
    return data, indices, indptr, rng.random(n), sweeps
