"""A name holds `None` until a first number is found."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _lowest_loop(x, weight, best, at):
    """The loop in `lowest`."""
    for i in range(1, len(x)):
        x[i] += weight * x[i - 1]
        if best is None or x[i] < best:
            best = x[i]
            at = i
    return best, at


def lowest(x: npt.NDArray[np.float64], weight: float):
    best, at = None, None
    best, at = _lowest_loop(x, weight, best, at)
    return best, at


def cases():
    yield "lowest", (np.cos(np.arange(50.0)), 0.5)
    yield "lowest", (np.array([1.0, np.nan, 2.0, 0.5]), 0.5)
    yield "lowest", (np.array([1.0]), 0.5)
