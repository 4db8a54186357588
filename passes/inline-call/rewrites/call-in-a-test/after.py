"""A call in the test of an `if` stands by itself first: behind an `and`, where what comes before it holds."""

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
def _counted_loop(x, least, n):
    """The loop in `counted`."""
    for i in range(len(x) - 3):
        near_value = 0.0
        near_weight = 1.0
        near_value += near_weight * x[i + 0]
        near_weight *= 0.5
        near_value += near_weight * x[i + 1]
        near_weight *= 0.5
        near_value += near_weight * x[i + 2]
        near_weight *= 0.5
        if near_value < least:
            n += 1
        else:
            n += 2
        # Neither small nor large.
        if x[i] > 0.25 and x[i] < 0.75:
            near_i = i + 1
            near_value_1 = 0.0
            near_weight_1 = 1.0
            near_value_1 += near_weight_1 * x[near_i + 0]
            near_weight_1 *= 0.5
            near_value_1 += near_weight_1 * x[near_i + 1]
            near_weight_1 *= 0.5
            near_value_1 += near_weight_1 * x[near_i + 2]
            near_weight_1 *= 0.5
            if near_value_1 > least:
                n += 4
    return n


@nprewrite.jit
def counted(x: npt.NDArray[np.float64], least: float):
    n = 0
    n = _counted_loop(x, least, n)
    return n


def cases():
    yield "counted", (np.sin(np.arange(40.0)) ** 2, 0.8)
