"""Each function has the shift of its own trip."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def moved(u: npt.NDArray[np.float64], trips: int):
    for _ in range(trips):
        u = sum((lambda v, shift=shift: np.roll(v, shift))(u) for shift in (1, 2))
    return u


def cases():
    for trips in (0, 1, 3):
        yield "moved", (np.linspace(0, 1, 6), trips)
