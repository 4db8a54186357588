"""The same mask on both sides; negation and minimum of selected lanes."""

import numpy as np
import numpy.typing as npt


def merge(values: npt.ArrayLike, limit: float):
    x = np.asarray(values, dtype=np.float64)
    y = np.full_like(x, limit)
    m = x > limit
    y[m] = x[m]
    x[m] = -x[m]
    y[~m] = np.abs(x[~m])
    x[...] = np.where(m, x, y)
    x[m] = np.minimum(x[m], y[m])
    return x, y


def cases():
    row = np.array([0.0, -0.0, 1.5, -2.0, np.nan, np.inf, -np.inf, 3.0])
    for limit in (0.0, -np.inf, np.inf, np.nan, 1.5):
        yield "merge", (row.copy(), limit)
    yield "merge", (row.copy().reshape(2, 4).T, 1.0)
    yield "merge", (np.zeros((3, 0)), 1.0)
