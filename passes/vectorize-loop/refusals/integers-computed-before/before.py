"""Wider integers that the nest itself computes: whether each fits is not to be seen before it runs."""

import numpy as np
import numpy.typing as npt


def sums(b: npt.NDArray[np.int64], a: npt.NDArray[np.int8], v: npt.NDArray[np.int64]):
    for i in range(len(v)):
        b[i] = v[i] + 1
        a[i] = b[i] * 2


def cases():
    yield "sums", (np.ones(3, np.int64), np.ones(3, np.int8), np.array([1, 2, 3]))
    yield "sums", (np.ones(3, np.int64), np.ones(3, np.int8), np.array([1, 63, 3])), OverflowError
