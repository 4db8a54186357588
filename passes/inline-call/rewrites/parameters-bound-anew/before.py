"""A parameter that the function binds anew, or changes with ``+=``, is a name of its own; defaults by keyword."""

import numpy as np
import numpy.typing as npt

import nprewrite


def shifted(x, by=1.0, *, scale=2.0):
    by = by * scale
    x = x + by
    x += by
    return x


def pair(x, y):
    return x * y, x - y


@nprewrite.jit
def mixed(x: npt.NDArray[np.float64], by: float):
    a = shifted(x, scale=by)
    b, c = pair(shifted(a * 2), x)
    return a + b * c


def cases():
    for size in (0, 4):
        yield "mixed", (np.arange(float(size)), 0.25)
