"""Distances of which the later ones are bounded by the earlier ones."""

import numpy as np

TWIN_OF = "pairwise_scalar"
ENTRY = "pairwise"
SIZES = {"small": (9, 3)}


def pairwise(X):
    n, d = X.shape
    D = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            s = 0.0
            for k in range(d):
                s += (X[i, k] - X[j, k]) ** 2
            D[i, j] = min(np.sqrt(s), D[i, j - 1] + 0.4, D[i - 1, j] + 0.4)
    return D


def setup(n, d):
    return (np.random.default_rng(49).random((n, d)),)
