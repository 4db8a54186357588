"""NumPy lines up the selected lanes of a smaller operand with the last axis: only equal shapes are lanewise.

Hazards: 1.14
"""

import numpy as np
import numpy.typing as npt


def blend(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64], m: npt.NDArray[np.bool_], trips: int):
    for _ in range(trips):
        A[m] = A[m] * 0.5 + B[m]
    return A


def cases():
    row = np.array([1.0, 2.0, 3.0])
    yield "blend", (row.copy(), row.copy(), np.array([True, False, True]), 9)
    yield "blend", (np.ones((2, 2)), np.array([5.0, 7.0]), np.array([True, True]), 9)
    yield "blend", (np.ones((2, 2)), np.array([5.0, 7.0]), np.array([True, False]), 9)
    yield "blend", (np.ones((3, 2)), np.arange(3.0), np.array([True, True, True]), 9), ValueError
    yield "blend", (np.ones((2, 2)), np.ones((2, 3)), np.ones((2, 2), dtype=bool), 9), IndexError
    yield "blend", (np.ones((2, 2)), np.ones((2, 2, 2)), np.ones((2, 2), dtype=bool), 9), ValueError
