"""The edges are set in the loop before: without trips nothing reads them."""

import numpy as np


def profile(n: int, m: int):
    data = np.sin(np.arange(n, dtype=np.float64))
    r = np.cos(np.arange(n, dtype=np.float64)) ** 2
    res, labels = np.empty(m), []
    for i in range(m):
        edges = np.linspace(0.0, 1.0, m + 1)
        res[i] = edges[i]
        labels.append(str(i))
    for i in range(m):
        res[i] = data[r < edges[i + 1]].mean()
    return res, labels


def cases():
    yield "profile", (40, 6)
    yield "profile", (40, 0)
