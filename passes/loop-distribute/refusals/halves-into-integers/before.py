"""NumPy does not add floats to integers in place."""

import numpy as np
import numpy.typing as npt


def halves(A: npt.NDArray[np.float64], counts: npt.NDArray[np.int64]):
    n = A.shape[0]
    for i in range(n):
        counts[i, : i + 1] += A[i, : i + 1] * 0.5
    return counts


def cases():
    yield "halves", (np.ones((4, 4)), np.zeros((4, 4), np.int64)), TypeError
