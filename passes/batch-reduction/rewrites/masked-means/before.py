"""Means of the data within intervals of radius; one of them is empty."""

import numpy as np


def profile(n: int, m: int):
    data = np.sin(np.arange(n, dtype=np.float64))
    r = np.cos(np.arange(n, dtype=np.float64)) ** 2
    edges = np.linspace(0.0, 1.25, m + 1)
    res = np.empty(m)
    for i in range(m):
        res[i] = data[(edges[i] <= r) & (r < edges[i + 1])].mean()
    return res


def cases():
    for n, m in ((40, 6), (1, 1), (40, 0), (0, 3), (20_000, 5)):
        yield "profile", (n, m)
