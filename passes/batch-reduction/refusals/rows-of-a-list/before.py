"""A row of the list is the data."""

import numpy as np


def profile(n: int, m: int):
    data = np.sin(np.arange(n, dtype=np.float64))
    r = np.cos(np.arange(n, dtype=np.float64)) ** 2
    edges = np.linspace(0.0, 1.0, m + 1)
    rows = [np.zeros(n), data]
    for i in range(m):
        # an element of a row
        rows[i % 2][0] = data[r < edges[i + 1]].mean()
    return rows


def cases():
    yield "profile", (40, 6)
