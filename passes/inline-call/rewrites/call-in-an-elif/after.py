"""An `elif` becomes an `if` in the `else`, where a call in its test can stand before it."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


def near(x, i):
    total, weight = 0.0, 1.0
    for k in range(3):
        total += weight * x[i + k]
        weight *= 0.5
    return total


@npr.native
def _classes_loop(x, n, least):
    """The loop in `classes`."""
    for i in range(len(x) - 3):
        if x[i] > 0.9:
            n += 1
        else:
            # Neither large nor nearly so.
            if x[i] > 0.75:
                continue
            else:
                near_value = 0.0
                near_weight = 1.0
                near_value += near_weight * x[i + 0]
                near_weight *= 0.5
                near_value += near_weight * x[i + 1]
                near_weight *= 0.5
                near_value += near_weight * x[i + 2]
                near_weight *= 0.5
                if near_value < least:
                    n += 4
    return n


@nprewrite.jit
def classes(x: npt.NDArray[np.float64], least: float):
    n = 0
    n = _classes_loop(x, n, least)
    return n


def cases():
    yield "classes", (np.sin(np.arange(40.0)) ** 2, 0.8)
