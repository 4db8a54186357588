"""The sample that is nearest to each query, and how far it is; without samples it raises."""

import numpy as np


def nearest(n: int, m: int):
    x = np.sin(np.arange(n, dtype=np.float64) ** 2)
    queries = np.linspace(-1.5, 1.5, m)
    distances = np.zeros(m)
    places = np.zeros(m, dtype=np.int64)
    for i in range(m):
        d = np.abs(x - queries[i])
        distances[i] = d.min()
        places[i] = np.argmin(d)
    return distances, places


def cases():
    for n, m in ((40, 6), (1, 1), (40, 0), (2000, 300)):
        yield "nearest", (n, m)
    yield "nearest", (0, 2), ValueError
