"""Functions made inside of the function, one that changes its argument and returns nothing."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def heat(u: npt.NDArray[np.float64], steps: int, alpha: float):
    def step(v):
        new = v.copy()
        new[1:-1] = v[1:-1] + alpha * (v[2:] - 2 * v[1:-1] + v[:-2])
        return new

    def insulate(v):
        v[0] = v[1]
        v[-1] = v[-2]

    for n in range(steps):
        u = step(u)
        insulate(u)
    return u


def cases():
    for steps in (0, 1, 6):
        yield "heat", (np.linspace(0.0, 1.0, 9) ** 2, steps, 0.2)
