"""The sum takes one element more in each iteration: there is no product of whole matrices that it is."""

import numpy as np
import numpy.typing as npt


def remainders(A: npt.NDArray[np.float64], C: npt.NDArray[np.float64]):
    n = A.shape[0]
    for i in range(n):
        C[i, :i] = A[i, :i] - A[:i, i].sum()
    return C


def cases():
    yield "remainders", (np.arange(16.0).reshape(4, 4), np.zeros((4, 4)))
