"""Division by a selected array: the lanes that were not selected divide by a neutral 1.

Hazards: 1.neutral
"""

import numpy as np
import numpy.typing as npt


def invert(values: npt.ArrayLike):
    x = np.asarray(values, dtype=np.float64)
    y = np.zeros_like(x)
    m = x != 0
    y[...] = np.where(m, 1 / np.where(m, x, 1), y)
    return y


def invert_strictly(values: npt.ArrayLike):
    with np.errstate(all="raise"):
        return invert(values)


def cases():
    yield "invert", (np.array([0.0, -0.0, 2.0, -4.0, np.inf, np.nan, 1e-320]),)
    yield "invert", (np.zeros(5),)
    yield "invert", (np.zeros(0),)
    yield "invert", (0.0,)
    yield "invert_strictly", (np.array([0.0, -0.0, 2.0, -4.0]),)
    yield "invert_strictly", (np.array([0.0, 1e-320]),), FloatingPointError
