"""Distances between all pairs of points with a loop over every index."""

import numpy as np

ENTRY = "pairwise"
SIZES = {"bench": (300, 3), "small": (12, 3)}


def pairwise(X):
    n, d = X.shape
    D = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            s = 0.0
            for k in range(d):
                diff = X[i, k] - X[j, k]
                s += diff * diff
            D[i, j] = np.sqrt(s)
    return D


def setup(n, d):
    return (np.random.default_rng(54).random((n, d)),)
