"""A condition on an element is a mask; what is not taken keeps its bits."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def limited(x: npt.NDArray[np.float32], low: float, high: float):
    y = np.empty(len(x), dtype=np.float32)
    if (
        npr.quiet()
        and npr.are_arrays(np.float32, 1, x)
        and type(low) is float
        and type(high) is float
    ):
        with np.errstate(all="ignore"):
            mask = x < low
            y[...] = np.where(mask, low, y)
            mask_2 = ~mask
            mask_3 = mask_2 & (x > high)
            y[...] = np.where(mask_3, high, y)
            mask_4 = mask_2 & ~mask_3
            y[...] = np.where(mask_4, x, y)
    else:
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
    if npr.quiet() and npr.are_arrays(np.float64, 1, y, x) and n <= y.shape[0]:
        with np.errstate(all="ignore"):
            mask = y[:n] != 0
            q[...] = np.where(mask, x / y[:n], q)
    else:
        for i in range(n):
            if y[i] != 0:
                q[i] = x[i] / y[i]
    return q


def spikes(x: npt.NDArray[np.float64]):
    n = len(x)
    out = x.copy()
    if npr.quiet() and npr.are_arrays(np.float64, 1, x, out):
        with np.errstate(all="ignore"):
            mask = (x[1:-1] > x[:-2]) & (x[1:-1] > x[2:])
            out[1:-1] = np.where(mask, np.where(x[2:] > x[:-2], x[2:], x[:-2]), out[1:-1])
    else:
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
