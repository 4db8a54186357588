"""A loop of other work around a loop of array work: the inner one is the step."""

import numpy as np


def frames(size: int, trips: int, zooms: list):
    pictures = []
    for zoom in zooms:
        x = np.linspace(-zoom, zoom, size, dtype=np.float64)
        N = np.zeros(size, dtype=np.int64)
        for n in range(trips):
            m = np.abs(x) < 2
            x[m] = x[m] * x[m] - 1.5
            N[m] = n
        pictures.append((x, N))
    return pictures


def cases():
    for trips in (20, 9, 8, 1, 0):
        yield "frames", (9, trips, [1.0, 2.5])
    yield "frames", (9, 9, [])
