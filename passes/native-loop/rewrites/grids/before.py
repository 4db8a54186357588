"""Grids, lists of lists of one length: their rows are the same lists afterwards, with numbers of the same types."""

import math

import numpy as np
import numpy.typing as npt


def longest_common(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]):
    length = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                length[i][j] = length[i - 1][j - 1] + 1
            else:
                length[i][j] = max(length[i - 1][j], length[i][j - 1])
    return length


def distances(rows: int, columns: int, x: float, y: float):
    grid = [[0.0 for _ in range(columns)] for _ in range(rows)]
    for i in range(rows):
        for j in range(len(grid[i])):
            grid[i][j] += math.hypot(i - x, j - y)
    return grid


def elimination(n: int):
    matrix = [[1 / (i + j + 1) for j in range(n)] for i in range(n)]
    lower = [[0] * n for _ in range(n)]
    for k in range(n):
        lower[k][k] = 1
        for i in range(k + 1, n):
            lower[i][k] = matrix[i][k] / matrix[k][k]
            for j in range(k, n):
                matrix[i][j] -= lower[i][k] * matrix[k][j]
    return matrix, lower


def shared(n: int):
    rows = [[0] * n] * 3
    for k in range(n):
        rows[k % 3][k] += k + 1
        rows[0][0] += rows[-1][-1]
    return rows


def beyond(n: int):
    rows = [[0] * n for _ in range(n)]
    for k in range(n + 1):
        rows[k][k] = k
    return rows


def cases():
    some = np.random.default_rng(0).integers(0, 3, 40)
    yield "longest_common", (some, some[::-1].copy())
    yield "longest_common", (some, some[:0])
    yield "distances", (30, 40, 2.5, 3.5)
    yield "distances", (3, 4, 2.5, 3.5)
    for n in (1, 5, 20):
        yield "elimination", (n,)
        yield "shared", (n,)
    yield "beyond", (12,), IndexError
