"""What is unpacked before the call cannot be bound to a name, and must not be unpacked after it."""

import numpy as np
import numpy.typing as npt

import nprewrite


def empty(x):
    x[...] = 0
    return 1.0


@nprewrite.jit
def drained(x: npt.NDArray[np.float64]):
    return [*x, empty(x)]


def cases():
    yield "drained", (np.arange(4.0),)
