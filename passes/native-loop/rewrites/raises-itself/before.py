"""Where a loop raises by itself, the arrays are put back, and the loop as written raises with its own words."""

import numpy as np
import numpy.typing as npt


def solve(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], d: npt.NDArray[np.float64]):
    for i in range(1, len(d)):
        if b[i - 1] == 0:
            raise ZeroDivisionError(f"row {i - 1} is singular")
        b[i] = b[i] - a[i] * a[i] / b[i - 1]
        d[i] = d[i] - a[i] * d[i - 1] / b[i - 1]
    return d


def cases():
    yield "solve", (np.ones(5), np.full(5, 4.0), np.arange(5.0))
    yield "solve", (np.ones(5), np.ones(5), np.arange(5.0)), ZeroDivisionError
    yield "solve", (np.ones(2), np.ones(5), np.arange(5.0)), ZeroDivisionError
    yield "solve", (np.ones(2), np.full(5, 4.0), np.arange(5.0)), IndexError
    yield "solve", (np.ones(0), np.ones(0), np.ones(0))
