"""The test has a name: what it stands for decides whether the loop ends."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def settled(n: int):
    x = np.linspace(0, 1, n)
    active = np.ones(n, dtype=bool)
    while active.any():
        y = np.cos(x)
        active = np.abs(y - x) > 1e-11  # refused here
        x = np.where(active, y, x)
    return x


def cases():
    yield "settled", (4,)
