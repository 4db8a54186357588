"""np.less and the other comparison functions as masks, written at the store or before it."""

import numpy as np
import numpy.typing as npt


def bound(values: npt.ArrayLike, low: int, high: int):
    x = np.asarray(values, dtype=np.int64)
    x[...] = np.where(np.less(x, low), 0, x)
    over = np.greater_equal(x, high)
    x[...] = np.where(over, 100, x)
    x[...] = np.where(np.not_equal(x, 3), x + 1, x)
    x[...] = np.where(np.equal(x, 4), x - 1, x)
    return x


def cases():
    yield "bound", (np.arange(10), 2, 7)
    yield "bound", (np.arange(10)[::-1], 20, 30)
    yield "bound", (np.arange(12).reshape(3, 4).T, -1, 0)
    yield "bound", (np.array([-(2**63), 2**63 - 1, 2**53 + 1]), 0, 2**62)
    yield "bound", (np.zeros(0, dtype=np.int64), 0, 1)
    yield "bound", (np.arange(3), 1, 2**80)
