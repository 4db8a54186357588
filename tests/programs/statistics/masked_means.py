"""Means of the data within many intervals of radius, each through a mask over all of it."""

import numpy as np

ENTRY = "masked_means"
SIZES = {"bench": (60, 2_000_000), "small": (5, 400), "stated": (1000, 4_000_000)}


def masked_means(data, r, lo, hi):
    res = np.empty(len(lo))
    for i in range(len(lo)):
        res[i] = data[(lo[i] <= r) & (r < hi[i])].mean()
    return res


def setup(count, n):
    rng = np.random.default_rng(75)
    edges = np.linspace(0, 1, count + 1)
    return rng.standard_normal(n), rng.random(n), edges[:-1], edges[1:]
