"""An iteration that waits for digits that float32 has not would never end."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def relaxed(n: int):
    x, y = np.linspace(0, 1, n), np.zeros(n)
    while np.abs(x - y).max() > 1e-10:  # refused here
        x, y = np.cos(x), x
    return x


def cases():
    yield "relaxed", (4,)
