"""A function that computes where to store."""

import numpy as np
import numpy.typing as npt

import nprewrite


def touched(full):
    near = np.zeros_like(full)
    near[1:] |= full[:-1]
    near[:-1] |= full[1:]
    return near


@nprewrite.jit
def spread(x: npt.NDArray[np.float64], steps: int):
    for n in range(steps):
        new = x.copy()
        new[(x == 0) & touched(x > 1)] = 2.0
        x = new * 0.75
    return x


def cases():
    for size, steps in ((7, 3), (1, 2), (6, 0)):
        yield "spread", (np.where(np.arange(size) % 3 == 0, np.arange(float(size)), 0.0), steps)
