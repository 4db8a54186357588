"""The same mask on both sides; negation and minimum of selected lanes."""

import numpy as np
import numpy.typing as npt


def merge(values: npt.ArrayLike, limit: float):
    x = np.asarray(values, dtype=np.float64)
    y = np.full_like(x, limit)
    m = x > limit
    y[...] = np.where(m, x, y)
    x[...] = np.where(m, -np.where(m, x, 1), x)
    y[...] = np.where(~m, np.abs(np.where(~m, x, 1)), y)
    x[...] = np.where(m, x, y)
    x[...] = np.where(m, np.minimum(np.where(m, x, 1), np.where(m, y, 1)), x)
    return x, y


def cases():
    row = np.array([0.0, -0.0, 1.5, -2.0, np.nan, np.inf, -np.inf, 3.0])
    for limit in (0.0, -np.inf, np.inf, np.nan, 1.5):
        yield "merge", (row.copy(), limit)
    yield "merge", (row.copy().reshape(2, 4).T, 1.0)
    yield "merge", (np.zeros((3, 0)), 1.0)
