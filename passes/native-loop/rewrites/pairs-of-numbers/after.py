"""Tuples of numbers that a loop keeps, compares and gives back."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _largest_loop(n, m, a, best, where):
    """The loop in `largest`."""
    for i in range(n):
        for j in range(m):
            if a[i, j] > best:
                best, where = a[i, j], (i, j)
    return best, where


def largest(a: npt.NDArray[np.float64], n: int, m: int):
    best, where = a[0, 0], (0, 0)
    best, where = _largest_loop(n, m, a, best, where)
    return best, where


@npr.native
def _split_loop(x, left, total, best):
    """The loop in `split`."""
    for i in range(1, len(x)):
        left += x[i - 1]
        score = left * left / i + (total - left) ** 2 / (len(x) - i)
        if score < best[0]:
            best = (score, i)
    return best


def split(x: npt.NDArray[np.float64], total: float):
    best = (np.inf, -1)
    left = 0.0
    best = _split_loop(x, left, total, best)
    return best


@npr.native
def _closest_loop(n, p, best):
    """The loop in `closest`."""
    for i in range(n):
        for j in range(i + 1, n):
            d = (p[i, 0] - p[j, 0]) ** 2 + (p[i, 1] - p[j, 1]) ** 2
            if (d, -i, j) < best:
                best = (d, -i, j)
    return best


def closest(p: npt.NDArray[np.float64], n: int):
    best = (1e300, 0, 0)
    best = _closest_loop(n, p, best)
    d, i, j = best
    return d, i, j


def cases():
    a = np.array([[1.0, 3.0, 2.0], [3.0, -1.0, 3.5]])
    yield "largest", (a, 2, 3)
    yield "largest", (-a, 2, 3)
    yield "largest", (a, 2, 4), IndexError
    yield "split", (np.array([1.0, 1.0, 5.0, 6.0]), 13.0)
    yield "split", (np.array([1.0]), 1.0)
    yield "closest", (np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [5.0, 5.0]]), 4)
    yield "closest", (np.array([[0.0, np.nan], [1.0, 0.0], [0.0, 1.0]]), 3)
    yield "closest", (np.zeros((1, 2)), 1)
