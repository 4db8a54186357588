"""A float argument may be nan or too large: the check is NumPy's at the store.

Hazards: 1.14a
"""

import numpy as np


def replace(size: int, v: float):
    A = np.arange(size)
    A[A > 2] = v
    return A


def cases():
    yield "replace", (6, 2.7)
    yield "replace", (6, float("nan")), ValueError
    yield "replace", (6, float("inf")), OverflowError
    yield "replace", (6, 1e30), OverflowError
