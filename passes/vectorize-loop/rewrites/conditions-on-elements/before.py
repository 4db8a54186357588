"""A condition on an element is a mask; what is not taken keeps its bits."""

import numpy as np
import numpy.typing as npt


def limited(x: npt.NDArray[np.float32], low: float, high: float):
    y = np.empty(len(x), dtype=np.float32)
    for i in range(len(x)):
        if x[i] < low:
            y[i] = low
        elif x[i] > high:
            y[i] = high
        else:
            y[i] = x[i]
    return y


def guarded(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]):
    n = len(x)
    q = np.zeros(n)
    for i in range(n):
        if y[i] != 0:
            q[i] = x[i] / y[i]
    return q


def spikes(x: npt.NDArray[np.float64]):
    n = len(x)
    out = x.copy()
    for i in range(n):
        if i > 0 and i < n - 1 and x[i] > x[i - 1] and x[i] > x[i + 1]:
            out[i] = max(x[i - 1], x[i + 1])
    return out


def cases():
    row = np.array([0.0, -0.0, 3.0, -2.0, np.nan, np.inf, -np.inf, 1.0])
    yield "limited", (row.astype(np.float32), -1.0, 0.1)
    yield "limited", (row[:0].astype(np.float32), -1.0, 0.1)
    yield "guarded", (row, row[::-1])
    yield "guarded", (row, row)
    yield "guarded", (row, row[1:]), IndexError
    for n in (0, 1, 2, 8):
        yield "spikes", (row[:n].copy(),)
