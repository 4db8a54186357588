"""Each row is scaled by a number of the row before."""

import numpy as np
import numpy.typing as npt


def scaled(A: npt.NDArray[np.float64], out: npt.NDArray[np.float64]):
    n = A.shape[0]
    s = 1.0
    for i in range(n):
        out[i, :] = A[i, :] * s
        s = A[i, 0]
    return out


def cases():
    yield "scaled", (np.arange(16.0).reshape(4, 4), np.zeros((4, 4)))
