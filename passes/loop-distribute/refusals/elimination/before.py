"""Each elimination starts from what the one before has left."""

import numpy as np
import numpy.typing as npt


def eliminate(A: npt.NDArray[np.float64]):
    n = A.shape[0]
    for k in range(n - 1):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return A


def cases():
    yield "eliminate", (np.arange(16.0).reshape(4, 4) + 9 * np.eye(4),)
