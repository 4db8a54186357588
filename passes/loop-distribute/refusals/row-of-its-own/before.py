"""The row has a name of its own and is changed before it is stored."""

import numpy as np
import numpy.typing as npt


def halves(A: npt.NDArray[np.float64], out: npt.NDArray[np.float64]):
    n = A.shape[0]
    for i in range(n):
        row = A[i, :i] / 2
        row *= row
        out[i, :i] = row
    return out


def cases():
    yield "halves", (np.arange(16.0).reshape(4, 4), np.zeros((4, 4)))
