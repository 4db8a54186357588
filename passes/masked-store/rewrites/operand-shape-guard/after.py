"""NumPy lines up the selected lanes of a smaller operand with the last axis: only equal shapes are lanewise.

Hazards: 1.14
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    inputs={"B": "float64", "m": "bool"},
    state={"A": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _blend_step(B, m, A):
    """One iteration of the loop over `_` in `blend`."""
    A = np.where(m, A * 0.5 + B, A)
    return (A,)


def blend(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64], m: npt.NDArray[np.bool_], trips: int):
    for _ in _blend_step.over(range(trips), B=B, m=m, A=A):
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
