"""A function that returns out of a loop."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


def escape(cr, ci, limit):
    zr, zi = 0.0, 0.0
    for k in range(limit):
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
        if zr * zr + zi * zi > 4.0:
            return k
    return limit


@npr.native
def _counts_loop(xs, limit, y, found):
    """The loop in `counts`."""
    for i in range(1, len(xs)):
        escape_cr = xs[i]
        escape_zr = 0.0
        escape_zi = 0.0
        for escape_k in range(limit):
            escape_zr, escape_zi = (escape_zr * escape_zr - escape_zi * escape_zi + escape_cr, 2.0 * escape_zr * escape_zi + y)
            if escape_zr * escape_zr + escape_zi * escape_zi > 4.0:
                escape_result = escape_k
                break
        else:
            escape_result = limit
        found[i] = found[i - 1] + escape_result


@nprewrite.jit
def counts(xs: npt.NDArray[np.float64], y: float, limit: int):
    found = np.zeros(len(xs), dtype=np.int64)
    _counts_loop(xs, limit, y, found)
    return found


def cases():
    yield "counts", (np.linspace(-2.0, 0.5, 30), 0.3, 20)
    yield "counts", (np.array([0.0, np.nan, np.inf, 0.1]), 0.3, 5)
    yield "counts", (np.linspace(-2.0, 0.5, 4), 0.3, 0)
