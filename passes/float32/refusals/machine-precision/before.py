"""The precision of a dtype that is written out is that of float64, whatever is computed in."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def halved(n: int):
    x = np.linspace(0, 1, n)
    change = 1.0
    while change > 8 * np.finfo(float).eps:  # refused here
        y = np.cos(x)
        change = float(np.abs(y - x).max())
        x = y
    return x


def cases():
    yield "halved", (4,)
