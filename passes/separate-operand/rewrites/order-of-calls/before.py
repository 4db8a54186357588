"""What is evaluated before the part stays before it: ``take`` empties the array that is read after it."""

import numpy as np
import numpy.typing as npt

import nprewrite


def take(x):
    with np.errstate(over="ignore"):
        total = x.sum()
    x[...] = 0
    return total


@nprewrite.jit
def drained(x: npt.NDArray[np.float64]):
    return [take(x), np.sqrt(x * x + 1)]


def cases():
    for size in (1, 6):
        yield "drained", (np.arange(1.0, size + 1),)
