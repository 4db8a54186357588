"""The last iteration reads no edge: there is none behind the last."""

import numpy as np


def profile(n: int, m: int):
    data = np.sin(np.arange(n, dtype=np.float64))
    r = np.cos(np.arange(n, dtype=np.float64)) ** 2
    edges = np.linspace(0.0, 1.0, m)
    res = np.zeros(m)
    for i in range(m):
        if i + 1 < m:
            res[i] = data[r < edges[i + 1]].mean()
    return res


def cases():
    yield "profile", (40, 6)
    yield "profile", (40, 1)
