"""An array of positions gives a copy and no view: such stores stay, beside one into a column."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"A": "float64"},
    state={"B_view": "float64"},
    read_first=("A",),
    once=True,
    compile=True,
)
def _spread_region(A, B_view):
    """Lines of `spread`."""
    B_view[...] = A[:, 0] * 2 + A[:, 1] * A[:, 1]
    return (B_view,)


@nprewrite.jit
def spread(
    A: npt.NDArray[np.float64], B: npt.NDArray[np.float64], k: npt.NDArray[np.int64], j: int
):
    A[k] = A[k] * 2 + A[0] * A[0]
    A[k] += A[1] * 0.5
    B_view = B[:, j]
    for once in (region := _spread_region.over(range(1), A=A, B_view=B_view)):
        B_view[...] = A[:, 0] * 2 + A[:, 1] * A[:, 1]
    return A, B


def cases():
    for j in (0, 2, -1):
        yield "spread", (np.arange(12.0).reshape(4, 3), np.zeros((4, 3)), np.array([1, 3, 1]), j)
    yield "spread", (np.arange(12.0).reshape(4, 3), np.zeros((4, 3)), np.array([1, 4]), 0), IndexError
