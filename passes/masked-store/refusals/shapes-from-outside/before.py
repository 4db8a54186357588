"""Mask and array come from outside: nothing says that they fit.

Hazards: 1.8
"""

import numpy as np
import numpy.typing as npt


def mark(values: npt.ArrayLike, mask: npt.ArrayLike):
    x = np.asarray(values, dtype=np.float64)
    m = np.asarray(mask, dtype=np.bool_)
    x[m] = 1.0
    return x


def cases():
    yield "mark", (np.zeros((2, 2)), np.array([True, False]))
    yield "mark", (np.zeros((3, 3)), np.array([[True, False, True]])), IndexError
