"""Neighbours with boundaries, or around a torus; a number of each cell."""

import numpy as np
import numpy.typing as npt


def bounded(g: npt.NDArray[np.int64]):
    n, m = g.shape
    h = np.zeros_like(g)
    for i in range(n):
        for j in range(m):
            count = 0
            if i > 0:
                count += g[i - 1, j]
                if j > 0:
                    count += g[i - 1, j - 1]
                if j < m - 1:
                    count += g[i - 1, j + 1]
            if i < n - 1:
                count += g[i + 1, j]
                if j > 0:
                    count += g[i + 1, j - 1]
                if j < m - 1:
                    count += g[i + 1, j + 1]
            if j > 0:
                count += g[i, j - 1]
            if j < m - 1:
                count += g[i, j + 1]
            if count == 3 or (count == 2 and g[i, j] == 1):
                h[i, j] = 1
    return h


def torus(g: npt.NDArray[np.int64]):
    n, m = g.shape
    h = np.zeros((n, m), dtype=np.int64)
    for i in range(n):
        for j in range(m):
            count = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    if di != 0 or dj != 0:
                        count += g[(i + di) % n, (j + dj) % m]
            if g[i, j] == 1 and (count < 2 or count > 3):
                h[i, j] = 0
            elif g[i, j] == 0 and count == 3:
                h[i, j] = 1
            else:
                h[i, j] = g[i, j]
    return h


def cases():
    for n, m in ((5, 6), (1, 1), (1, 4), (2, 2), (0, 3), (3, 0), (20, 17)):
        g = (np.arange(n * m).reshape(n, m) % 3 == 0).astype(np.int64)
        yield "bounded", (g,)
        yield "torus", (g,)
    # A block stays as it is: each of its cells has three neighbours.
    block = np.zeros((6, 7), np.int64)
    block[2:4, 3:5] = 1
    yield "bounded", (block,)
    yield "torus", (block,)
