"""Neighbours with boundaries, or around a torus; a number of each cell."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def bounded(g: npt.NDArray[np.int64]):
    n, m = g.shape
    h = np.zeros_like(g)
    if npr.quiet() and npr.are_arrays(np.int64, 2, g, h):
        with np.errstate(all="ignore"):
            count = np.zeros((n, m), dtype=np.int64)
            count[1:, :] += g[:-1, :]
            count[1:, 1:] += g[:-1, :-1]
            count[1:, :-1] += g[:-1, 1:]
            count[:-1, :] += g[1:, :]
            count[:-1, 1:] += g[1:, :-1]
            count[:-1, :-1] += g[1:, 1:]
            count[:, 1:] += g[:, :-1]
            count[:, :-1] += g[:, 1:]
            mask = (count == 3) | (count == 2) & (g == 1)
            h[...] = np.where(mask, 1, h)
    else:
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
    if npr.quiet() and npr.are_arrays(np.int64, 2, g):
        with np.errstate(all="ignore"):
            count = np.zeros((n, m), dtype=np.int64)
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    if di != 0 or dj != 0:
                        count = count + np.roll(g, (-di, -dj), axis=(0, 1))
            mask = (g == 1) & ((count < 2) | (count > 3))
            h[...] = np.where(mask, 0, h)
            mask_2 = ~mask
            mask_3 = mask_2 & ((g == 0) & (count == 3))
            h[...] = np.where(mask_3, 1, h)
            mask_4 = mask_2 & ~mask_3
            h[...] = np.where(mask_4, g, h)
    else:
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
