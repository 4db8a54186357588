"""Which trips store depends on the numbers of the array."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def moved(u: npt.NDArray[np.float64], trips: int):
    f = np.stack([u, 2 * u, 3 * u])
    for _ in range(trips):
        for k in range(3):
            if f[k].sum() > 1:
                f[k] = np.roll(f[k], 1) + f[1]
    return f


def cases():
    for trips in (0, 1, 3):
        yield "moved", (np.linspace(0, 1, 6), trips)
