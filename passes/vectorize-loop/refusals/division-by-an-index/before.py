"""Python raises where a divisor is 0."""

import numpy as np
import numpy.typing as npt


def harmonic(n: int):
    y = np.zeros(n)
    for i in range(n):
        y[i] = 1 / i
    return y


def cases():
    yield "harmonic", (0,)
    yield "harmonic", (3,), ZeroDivisionError
