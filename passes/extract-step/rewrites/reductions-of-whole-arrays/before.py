"""Sums, extremes and norms of whole arrays, over one axis or all; a number that is read after the loop."""

import numpy as np
import numpy.typing as npt


def balance(x: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        change = np.abs(x - x.mean(axis=0)).max()
        x = x / (1 + x.sum(axis=0, keepdims=True)) + n * np.float64(0)
    return x, change


def sphere(x: npt.NDArray[np.float32], trips: int):
    for _ in range(trips):
        length = np.linalg.norm(x)
        x /= length
        x[0] = x.min() + 0.5 * length
    return x


def follow(size: int, trips: int):
    A = np.eye(size) * 0.5 + np.arange(1.0 * size**2).reshape(size, size) / 10
    x = np.ones(size)
    for _ in range(trips):
        x = A @ x
        x = x / x.dot(x) ** 0.5
        A = 0.5 * (A + A.T)
    return x


def cases():
    for trips in (9, 1):
        yield "balance", (np.arange(12.0).reshape(4, 3), trips)
        yield "sphere", (np.arange(1, 7, dtype=np.float32), trips)
        yield "follow", (3, trips)
    yield "balance", (np.ones(4), 3)
    yield "balance", (np.ones(4), 0), UnboundLocalError
    yield "sphere", (np.zeros((0,), np.float32), 3), ValueError
    yield "sphere", (np.array([np.nan, 1], np.float32), 3)
    yield "follow", (3, 0)
