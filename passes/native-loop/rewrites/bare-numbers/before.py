"""The trapezoidal rule, with numbers alone."""

import numpy as np


def integral(low: float, high: float, parts: int):
    width = (high - low) / parts
    total = 0.5 * (np.exp(-(low**2)) + np.exp(-(high**2)))
    for k in range(1, parts):
        x = low + k * width
        total += np.exp(-(x**2))
    return total * width


def cases():
    yield "integral", (0.0, 2.0, 50)
    yield "integral", (0, 2, 1)
    yield "integral", (0.0, 1.0, 0), ZeroDivisionError
