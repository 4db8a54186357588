"""The positions are computed in the nest: whether they fit is known too late."""

import numpy as np
import numpy.typing as npt


def chase(x: npt.NDArray[np.float64], first: npt.NDArray[np.int64], n: int):
    y = np.zeros(n)
    for i in range(n):
        first[i] = first[i] % n
        y[i] = x[first[i]]
    return y


def cases():
    yield "chase", (np.arange(4.0), np.arange(4), 4)
