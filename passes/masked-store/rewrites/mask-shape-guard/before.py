"""Mask and array are arguments: a mask that does not fit raises, one of fewer dimensions selects rows.

Hazards: 1.7, 1.8
"""

import numpy as np
import numpy.typing as npt


def bump(A: npt.NDArray[np.float64], m: npt.NDArray[np.bool_], trips: int):
    for _ in range(trips):
        A[m] += 1.0
    return A


def cases():
    yield "bump", (np.zeros(4), np.array([True, False, True, True]), 9)
    yield "bump", (np.zeros((2, 2)), np.array([True, False]), 9)
    yield "bump", (np.zeros((2, 3)), np.array([True, False]), 9)
    yield "bump", (np.zeros((3, 3)), np.array([[True, False, True]]), 9), IndexError
    yield "bump", (np.zeros((3, 3)), np.array([[True, False, True]]), 0)
    yield "bump", (np.zeros((3, 1)), np.ones((3, 3), dtype=bool), 9), IndexError
    yield "bump", (np.zeros(3), np.array(True), 9)
    yield "bump", (np.zeros(3), np.array(False), 9)
    yield "bump", (np.array(1.0), np.array(True), 9)
    yield "bump", (np.zeros(0), np.zeros(0, dtype=bool), 9)
    yield "bump", (np.zeros(4), np.zeros(4, dtype=bool), 9)
    yield "bump", (np.zeros(4), np.ones(4, dtype=bool), 9)
    yield "bump", (np.zeros(4), np.array([1, 0, 1, 1], dtype=np.uint8), 9)
    yield "bump", (np.zeros(4), np.array([1, 0, 1, 7]), 9), IndexError
