"""The trapezoidal rule, with numbers alone."""

import numpy as np
import nprewrite.runtime as npr


@npr.native
def _integral_loop(parts, low, width, total):
    """The loop in `integral`."""
    for k in range(1, parts):
        x = low + k * width
        total += np.exp(-(x**2))
    return total


def integral(low: float, high: float, parts: int):
    width = (high - low) / parts
    total = 0.5 * (np.exp(-(low**2)) + np.exp(-(high**2)))
    total = _integral_loop(parts, low, width, total)
    return total * width


def cases():
    yield "integral", (0.0, 2.0, 50)
    yield "integral", (0, 2, 1)
    yield "integral", (0.0, 1.0, 0), ZeroDivisionError
