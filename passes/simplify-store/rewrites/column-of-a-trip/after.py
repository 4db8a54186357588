"""Columns of an array, one after the other, in the loops of a factorisation."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"value": "float64"},
    state={"Q_view": "float64"},
    read_first=("value",),
    once=True,
    compile=True,
)
def _orthogonal_region(value, Q_view):
    """Lines of `orthogonal`."""
    Q_view[...] = value / np.sqrt((value * value).sum())
    return (Q_view,)


@npr.step(
    inputs={"value_1": "float64"},
    state={"A_view": "float64"},
    read_first=("value_1",),
    once=True,
    compile=True,
)
def _orthogonal_region_1(value_1, A_view):
    """Lines of `orthogonal`."""
    A_view -= (value_1 * A_view).sum() * value_1
    return (A_view,)


@nprewrite.jit
def orthogonal(A: npt.NDArray[np.float64], Q: npt.NDArray[np.float64], columns: int):
    for k in range(columns):
        Q_view = Q[:, k]
        value = A[:, k]
        for once in (region := _orthogonal_region.over(range(1), value=value, Q_view=Q_view)):
            Q_view[...] = value / np.sqrt((value * value).sum())
        del Q_view, value
        for j in range(k + 1, columns):
            A_view = A[:, j]
            value_1 = Q[:, k]
            for once_1 in (region_1 := _orthogonal_region_1.over(
                range(1),
                value_1=value_1,
                A_view=A_view,
            )):
                A_view -= (value_1 * A_view).sum() * value_1
            del A_view, value_1
    return Q


def cases():
    rng = np.random.default_rng(1)
    for columns in (0, 1, 3):
        A = rng.random((5, 3))
        yield "orthogonal", (A, np.zeros_like(A), columns)
    # Beyond the last column both raise IndexError, after the same stores.
    yield "orthogonal", (rng.random((5, 2)), np.zeros((5, 2)), 3), IndexError
