"""Shortest paths from one vertex over a list of edges, until nothing changes (Bellman and Ford)."""

import numpy as np

ENTRY = "bellman_ford"
SIZES = {"bench": (50_000, 400_000), "small": (20, 60)}


def bellman_ford(n, source, target, weight, start=0):
    dist = np.full(n, np.inf)
    dist[start] = 0.0
    for _ in range(n - 1):
        relaxed = dist.copy()
        np.minimum.at(relaxed, target, dist[source] + weight)
        if np.array_equal(relaxed, dist):
            break
        dist = relaxed
    return dist


def setup(n, edges):
    rng = np.random.default_rng(102)
    source = rng.integers(0, n, edges)
    source[:3] = 0
    return n, source, rng.integers(0, n, edges), rng.uniform(0.1, 5, edges)
