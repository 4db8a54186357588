"""The next edge is moved to the mean."""

import numpy as np


def profile(n: int, m: int):
    data = np.sin(np.arange(n, dtype=np.float64))
    r = np.cos(np.arange(n, dtype=np.float64)) ** 2
    edges = np.linspace(0.0, 1.0, m + 1)
    res = np.empty(m)
    for i in range(m):
        res[i] = data[r < edges[i + 1]].mean()
        edges[i + 1] = res[i]
    return res, edges


def cases():
    yield "profile", (40, 6)
