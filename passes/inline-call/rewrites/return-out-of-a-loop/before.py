"""A function that returns out of a loop."""

import numpy as np
import numpy.typing as npt

import nprewrite


def escape(cr, ci, limit):
    zr, zi = 0.0, 0.0
    for k in range(limit):
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
        if zr * zr + zi * zi > 4.0:
            return k
    return limit


@nprewrite.jit
def counts(xs: npt.NDArray[np.float64], y: float, limit: int):
    found = np.zeros(len(xs), dtype=np.int64)
    for i in range(1, len(xs)):
        found[i] = found[i - 1] + escape(xs[i], y, limit)
    return found


def cases():
    yield "counts", (np.linspace(-2.0, 0.5, 30), 0.3, 20)
    yield "counts", (np.array([0.0, np.nan, np.inf, 0.1]), 0.3, 5)
    yield "counts", (np.linspace(-2.0, 0.5, 4), 0.3, 0)
