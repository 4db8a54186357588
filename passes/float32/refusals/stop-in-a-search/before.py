"""A loop that ends by a comparison of its own values alone: in float32 the time may stand still."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def march(n: int):
    x, t, end = np.linspace(0, 1, n), np.float64(0), np.float64(2)
    while t < end:  # refused here
        x, t = np.sin(x) + t, t + np.float64(0.25)
    return x


def cases():
    yield "march", (4,)
