"""In-place arithmetic on selected integers: the type stays, overflow wraps as it did."""

import numpy as np
import numpy.typing as npt


def count(values: npt.ArrayLike, weights: npt.ArrayLike):
    x = np.asarray(values, dtype=np.uint8)
    w = np.zeros_like(x)
    w[...] = weights
    m = x > 3
    x[...] = np.where(m, x + 1, x)
    x[...] = np.where(m, x + w, x)
    x[...] = np.where(~m, x - 1, x)
    x[...] = np.where(m, x * w, x)
    x[...] = np.where(m, x ^ 255, x)
    return x


def cases():
    yield "count", (np.array([0, 1, 3, 4, 254, 255], dtype=np.uint8), 7)
    yield "count", (np.array([0, 1, 3, 4, 254, 255], dtype=np.uint8)[::-2], np.array([1, 2, 200], dtype=np.uint8))
    yield "count", (np.zeros((2, 0), dtype=np.uint8), 1)
    yield "count", (np.array(9, dtype=np.uint8), 1)
