"""A subclass passes the annotation of a plain array, and no guard stands before a single store.

Hazards: 1.17
"""

import numpy as np
import numpy.typing as npt


def cut(A: npt.NDArray[np.float64]):
    A[A > 2] = 0.0
    return A


def cases():
    yield "cut", (np.arange(6.0),)
    yield "cut", (np.ma.masked_greater(np.arange(6.0), 3),)
