"""What is evaluated before a call keeps its place: the sum is taken before the function empties the array."""

import numpy as np
import numpy.typing as npt

import nprewrite


def empty(x):
    x[...] = 0
    return 1.0


@nprewrite.jit
def drained(x: npt.NDArray[np.float64]):
    sum_value = x.sum()
    x[...] = 0
    empty_value = 1.0
    return [sum_value, empty_value]


def cases():
    yield "drained", (np.arange(4.0),)
