"""Python raises where the number becomes 1: by then a part of the table is stored, and the rest is not."""

import numpy as np
import numpy.typing as npt


def halves(x: npt.NDArray[np.float64], table: npt.NDArray[np.float64], s: float = 3.0):
    n, m = table.shape
    for i in range(n):
        table[i, :] = x[i] * 0.5
        s = 1.0 / (s - 1.0)
    return s


def cases():
    yield "halves", (np.ones(30), np.zeros((30, 2)), 2.0), ZeroDivisionError
