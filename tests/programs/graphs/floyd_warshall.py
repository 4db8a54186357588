"""All-pairs shortest paths, the two inner loops as an outer sum (Floyd and Warshall)."""

import numpy as np

ENTRY = "floyd_warshall"
SIZES = {"bench": (400,), "small": (12,)}


def floyd_warshall(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))


def setup(n):
    rng = np.random.default_rng(100)
    path = np.where(rng.random((n, n)) < 0.2, rng.uniform(1, 10, (n, n)), np.inf)
    np.fill_diagonal(path, 0.0)
    return (path,)
