"""An `elif` becomes an `if` in the `else`, where a call in its test can stand before it."""

import numpy as np
import numpy.typing as npt

import nprewrite


def near(x, i):
    total, weight = 0.0, 1.0
    for k in range(3):
        total += weight * x[i + k]
        weight *= 0.5
    return total


@nprewrite.jit
def classes(x: npt.NDArray[np.float64], least: float):
    n = 0
    for i in range(len(x) - 3):
        if x[i] > 0.9:
            n += 1
        elif x[i] > 0.75:
            continue
        # Neither large nor nearly so.
        elif near(x, i) < least:
            n += 4
    return n


def cases():
    yield "classes", (np.sin(np.arange(40.0)) ** 2, 0.8)
