"""Lanes that are not selected keep every bit: 2**53 + 1 does not pass through a float.

Hazards: 1.3, 1.blend
"""

import numpy as np
import numpy.typing as npt


def replace(values: npt.ArrayLike):
    x = np.asarray(values, dtype=np.int64)
    x[...] = np.where(x < 10, 2, x)
    return x


def cases():
    yield "replace", (np.array([1, 9, 10, 2**53 + 1, 2**63 - 1, -(2**63)]),)
    yield "replace", (np.array([2**53 + 1]),)
    yield "replace", (np.zeros(0, dtype=np.int64),)
