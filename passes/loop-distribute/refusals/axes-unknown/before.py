"""An annotation says the dtype of the weights, and not whether they are a row or a matrix."""

import numpy as np
import numpy.typing as npt


def weighted(A: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], out: npt.NDArray[np.float64]):
    n = A.shape[0]
    for i in range(n):
        out[i, :i] = weights * A[i, :i]
    return out


def cases():
    yield "weighted", (np.ones((4, 4)), np.ones(1), np.zeros((4, 4)))
