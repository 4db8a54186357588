"""A name stands for whether a test holds, where a call in it is behind an `or`, or an `else` follows."""

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
def chosen(x: npt.NDArray[np.float64], least: float):
    n = 0
    for i in range(len(x) - 3):
        if x[i] > 0.9 or near(x, i) < least:
            n += 1
        if x[i] > 0.25 and x[i] < 0.75 and near(x, i) > least:
            n += 4
        else:
            n += 8
    return n


def cases():
    yield "chosen", (np.sin(np.arange(40.0)) ** 2, 0.8)
