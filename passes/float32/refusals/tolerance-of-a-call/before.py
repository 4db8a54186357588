"""The text does not say how small the tolerance is."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def settled(n: int, tolerance: float):
    x = np.linspace(0, 1, n)
    for _ in range(200):
        y = np.sqrt(x)
        if np.abs(y - x).max() < tolerance:  # refused here
            break
        x = y
    return x


def cases():
    yield "settled", (4, 1e-9)
