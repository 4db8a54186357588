"""An iteration that goes on until nothing changes may swing between two numbers for ever."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def fixed(n: int):
    x, y = np.linspace(0, 1, n), np.zeros(n)
    while not np.array_equal(x, y):  # refused here
        x, y = np.cos(x), x
    return x


def cases():
    yield "fixed", (4,)
