"""All-pairs shortest paths with three loops (Cormen et al., Introduction to Algorithms, 23.2)."""

import numpy as np

ENTRY = "floyd_warshall"
SIZES = {"bench": (90,), "small": (8,)}


def floyd_warshall(dist):
    n = len(dist)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if dist[i, k] + dist[k, j] < dist[i, j]:
                    dist[i, j] = dist[i, k] + dist[k, j]
    return dist


def setup(n):
    rng = np.random.default_rng(101)
    dist = np.where(rng.random((n, n)) < 0.3, rng.uniform(1, 10, (n, n)), np.inf)
    np.fill_diagonal(dist, 0.0)
    return (dist,)
