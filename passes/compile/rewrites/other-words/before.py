"""Quotients, remainders and selects of numbers, for which torch.compile has other values or dtypes than NumPy."""

import numpy as np
import numpy.typing as npt


def wrap(x: npt.NDArray[np.float64], v: npt.NDArray[np.float64], size: float, trips: int):
    for _ in range(trips):
        x = (x + v) % size
        v = np.where(x // 0.1 > 3, 0.1, 0.2) * np.sign(v) + (x * x) ** 0.5
    return x, v


def share(k: npt.NDArray[np.int32], d: npt.NDArray[np.int32], trips: int):
    for n in range(trips):
        k = (k // d + np.mod(k, 7)  # a comment with % and //
             ) // (n + 2) + k % d
    return k


def cases():
    x = np.array([0.5, -0.5, 1.0, 7.25, -0.0, np.inf, np.nan, 3.0], np.float64)
    for trips in (9, 1, 0):
        yield "wrap", (x, x[::-1].copy(), 2.5, trips)
        yield "share", (np.array([5, -5, 7, -7, 0, 100], np.int32), np.array([2, 2, -3, -1, 0, 7], np.int32), trips)
