"""Array code as the argument of a method: the list is filled as before.

Hazards: 1.15
"""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def lengths(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], count: int):
    found = []
    for k in range(count):
        found.append(np.sqrt(x * x + k * y))
    return found


def cases():
    rng = np.random.default_rng(1)
    for size in (0, 1, 7):
        yield "lengths", (rng.random(size), rng.random(size), 3)
