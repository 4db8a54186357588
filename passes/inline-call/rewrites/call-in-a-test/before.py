"""A call in the test of an `if` stands by itself first: behind an `and`, where what comes before it holds."""

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
def counted(x: npt.NDArray[np.float64], least: float):
    n = 0
    for i in range(len(x) - 3):
        if near(x, i) < least:
            n += 1
        else:
            n += 2
        if x[i] > 0.25 and x[i] < 0.75 and near(x, i + 1) > least:
            # Neither small nor large.
            n += 4
    return n


def cases():
    yield "counted", (np.sin(np.arange(40.0)) ** 2, 0.8)
