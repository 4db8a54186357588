"""The trips of the loop would be more statements than a compiler takes in a few seconds."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def moved(u: npt.NDArray[np.float64], trips: int):
    f = np.stack([u, 2 * u, 3 * u])
    for _ in range(trips):
        for shift in range(100):
            f = 0.5 * (f + np.roll(f, shift, axis=1))
    return f


def cases():
    for trips in (0, 1, 3):
        yield "moved", (np.linspace(0, 1, 6), trips)
