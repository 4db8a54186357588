"""Columns of an array, one after the other, in the loops of a factorisation."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def orthogonal(A: npt.NDArray[np.float64], Q: npt.NDArray[np.float64], columns: int):
    for k in range(columns):
        Q[:, k] = A[:, k] / np.sqrt((A[:, k] * A[:, k]).sum())
        for j in range(k + 1, columns):
            A[:, j] -= (Q[:, k] * A[:, j]).sum() * Q[:, k]
    return Q


def cases():
    rng = np.random.default_rng(1)
    for columns in (0, 1, 3):
        A = rng.random((5, 3))
        yield "orthogonal", (A, np.zeros_like(A), columns)
    # Beyond the last column both raise IndexError, after the same stores.
    yield "orthogonal", (rng.random((5, 2)), np.zeros((5, 2)), 3), IndexError
