"""A comprehension is a scope of its own."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def moved(u: npt.NDArray[np.float64], trips: int):
    f = np.stack([u, 2 * u, 3 * u])
    for _ in range(trips):
        for k in range(3):
            f[k] = f[k] * sum([k * j for j in range(2)])
    return f


def cases():
    for trips in (0, 1, 3):
        yield "moved", (np.linspace(0, 1, 6), trips)
