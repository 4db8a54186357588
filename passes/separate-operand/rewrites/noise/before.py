"""Random numbers are drawn by NumPy, in the order of the program; what is done with them is array code.

Hazards: 3.random
"""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def paths(x: npt.NDArray[np.float64], steps: int):
    rng = np.random.default_rng(5)
    for _ in range(steps):
        x = x * np.exp(0.1 * rng.standard_normal(x.shape) - 0.005)
    return x, rng.random()


def cases():
    for size in (0, 1, 9):
        yield "paths", (np.linspace(1, 2, size), 4)
