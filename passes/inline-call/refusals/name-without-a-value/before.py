"""A name that has no value where nothing is found: the exception says it as the function does.

Hazards: 3.zero-trips, 3.variable-after
"""

import numpy as np
import numpy.typing as npt

import nprewrite


def last_above(x: npt.NDArray[np.float64], limit: float):
    for i in range(len(x)):
        if x[i] > limit:
            where = i
    return where


@nprewrite.jit
def after(x: npt.NDArray[np.float64], limit: float):
    return last_above(x, limit) + 1


def cases():
    yield "after", (np.linspace(0, 1, 5), 0.5)
    yield "after", (np.linspace(0, 1, 5), 2.0), UnboundLocalError
