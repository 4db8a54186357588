"""The right side has one entry for each selected lane; another number of entries raises.

Hazards: 1.10, 1.11, 1.14b
"""

import numpy as np
import numpy.typing as npt


def insert(size: int, vec: npt.NDArray[np.float64]):
    A = np.zeros(size)
    m = np.arange(size) % 2 == 0
    A[m] = vec
    return A


def cases():
    yield "insert", (6, np.array([1.0, 2.0, 3.0]))
    yield "insert", (6, np.array([7.0]))
    yield "insert", (6, np.array([1.0, 2.0])), ValueError
    yield "insert", (6, np.arange(6.0)), ValueError
    yield "insert", (1, np.array([1.0]))
    yield "insert", (0, np.zeros(0))
