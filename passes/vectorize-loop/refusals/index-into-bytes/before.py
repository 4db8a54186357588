"""The index does not fit into a byte from 256 on, where NumPy raises."""

import numpy as np
import numpy.typing as npt


def ramp(n: int):
    y = np.zeros(n, dtype=np.uint8)
    for i in range(n):
        y[i] = i
    return y


def cases():
    yield "ramp", (200,)
    yield "ramp", (300,), OverflowError
