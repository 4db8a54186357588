"""All-pairs shortest paths with a cycle of negative length: the diagonal becomes negative on the way."""

import numpy as np

TWIN_OF = "floyd_warshall_scalar"
ENTRY = "floyd_warshall"
SIZES = {"small": (8,)}


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
    dist = rng.uniform(-2, 6, (n, n))
    np.fill_diagonal(dist, 0.0)
    return (dist,)
