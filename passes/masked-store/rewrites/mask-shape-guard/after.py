"""Mask and array are arguments: a mask that does not fit raises, one of fewer dimensions selects rows.

Hazards: 1.7, 1.8
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    inputs={"m": "bool"},
    state={"A": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _bump_step(m, A):
    """One iteration of the loop over `_` in `bump`."""
    A = np.where(m, A + 1.0, A)
    return (A,)


def bump(A: npt.NDArray[np.float64], m: npt.NDArray[np.bool_], trips: int):
    for _ in _bump_step.over(range(trips), m=m, A=A):
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
