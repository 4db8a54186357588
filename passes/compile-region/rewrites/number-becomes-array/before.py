"""A name is a number first and an array later, and read behind the region as what it is then."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def settled(x: npt.NDArray[np.float64]):
    u = np.sin(x) + 1
    y = 0.01
    w = y * x + np.sqrt(u)
    y = y - w
    u = u + y
    print(len(u))
    return y, u


def cases():
    yield "settled", (np.arange(4.0),)
    yield "settled", (np.ones((2, 0)),)
