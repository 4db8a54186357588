"""NumPy's scalars wrap around, and divide by zero; Python's numbers raise."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _mixed_loop(x, last, out):
    """The loop in `mixed`."""
    for i in range(1, len(x)):
        last = last * 3 + x[i]
        out[i] = (x[i] - x[i - 1]) // x[i - 1]
        out[i] += 1 / x[i] if i % 2 else -x[i] % 7
    return last


def mixed(x: npt.NDArray[np.uint8], out: npt.NDArray[np.float64]):
    last = x[0]
    last = _mixed_loop(x, last, out)
    return last


@npr.native
def _ratio_loop(x, k, total):
    """The loop in `ratio`."""
    for i in range(len(x)):
        total += x[i] / 0.0 if x[i] > 1 else 1.0 / (i - k)
    return total


def ratio(x: npt.NDArray[np.float64], k: int):
    total = 0.0
    total = _ratio_loop(x, k, total)
    return total


def cases():
    yield "mixed", (np.array([250, 10, 0, 3, 200, 0], np.uint8), np.zeros(6))
    yield "mixed", (np.array([250, 10, 0, 3, 200, 0], np.uint8), np.zeros(3)), IndexError
    yield "ratio", (np.array([0.5, 2.0, -1.0]), -1)
    yield "ratio", (np.array([0.5, 0.25, -1.0]), 1), ZeroDivisionError
    yield "ratio", (np.array([2.0, -2.0, np.inf]), 9)
