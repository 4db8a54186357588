"""The array statements around the loop are too few for a step, and still are where the loop is a function."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _divided_loop(x, y):
    """The loop in `divided`."""
    for j in range(len(x)):
        x[j] = x[j] / y[j]


def divided(x: npt.NDArray[np.float32], y: npt.NDArray[np.float32], trips: int):
    for n in range(trips):
        y[(x > 0) | (x > 0.3)] = 0.5
        _divided_loop(x, y)
        x /= 2
    return x, y


def cases():
    x = np.linspace(-1, 1, 40, dtype=np.float32)
    for trips in (0, 1, 5):
        yield "divided", (x.copy(), x + 2, trips)
