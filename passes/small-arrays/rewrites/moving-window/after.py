"""Windows of a signal, and all that came before: a filter with feedback, and the best cuts of a line."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _feedback_loop(width, n, x, taps, y):
    """The loop in `feedback`."""
    for i in range(width, n):
        window = x[i - width : i] * taps
        y[i] = window.sum() + 0.1 * y[i - 1]


def feedback(n: int, width: int, seed: int):
    rng = np.random.default_rng(seed)
    x, taps = rng.random(n), rng.random(width)
    y = np.zeros(n)
    _feedback_loop(width, n, x, taps, y)
    return y


@npr.native
def _cuts_loop(n, total, cost, penalty, last):
    """The loop in `cuts`."""
    for i in range(1, n + 1):
        size = i - np.arange(i)
        part = total[i] - total[:i]
        candidates = cost[:i] + np.abs(part - size / 2) + penalty
        last[i] = np.argmin(candidates)
        cost[i] = candidates[last[i]]


def cuts(n: int, penalty: float, seed: int):
    rng = np.random.default_rng(seed)
    total = np.cumsum(rng.random(n + 1))
    cost = np.zeros(n + 1)
    last = np.zeros(n + 1, dtype=np.int64)
    _cuts_loop(n, total, cost, penalty, last)
    return cost, last


@npr.native
def _smoothed_loop(n, y):
    """The loop in `smoothed`."""
    for i in range(3, n):
        # NumPy computes the right side before it stores.
        y[i - 2 : i] = 0.5 * (y[i - 3 : i - 1] + y[i - 1 : i + 1])
        y[i] = 0.5 * (y[i] + y[i - 3 : i].mean())


def smoothed(n: int, seed: int):
    rng = np.random.default_rng(seed)
    y = rng.random(n)
    _smoothed_loop(n, y)
    return y


def cases():
    for n, width in ((0, 3), (9, 3), (40, 8), (300, 150), (9, 0)):
        yield "feedback", (n, width, 3)
    for n in (0, 1, 30):
        yield "cuts", (n, 0.3, 3)
        yield "smoothed", (n, 3)
