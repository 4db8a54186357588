"""The list of which a method is called is looked at before the function runs."""

import numpy as np
import numpy.typing as npt

import nprewrite


def moved(x, v, dt):
    x += dt * v
    v *= 0.5
    return 0.5 * (v * v).sum(), x.max()


@nprewrite.jit
def logged(x: npt.NDArray[np.float64], v: npt.NDArray[np.float64], steps: int):
    log = []
    for n in range(steps):
        log.append(moved(x, v, 0.01))
    return log


def cases():
    for size, steps in ((5, 3), (1, 2), (6, 0)):
        x = np.arange(float(size))
        yield "logged", (x, x[::-1].copy(), steps)
