"""A lane reads its neighbours: several trips in one call gain nothing.
"""

import numpy as np
import numpy.typing as npt


def heat(u: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        u[1:-1] = 0.5 * (u[:-2] + u[2:])
    return u


def cases():
    yield "heat", (np.arange(8.0) ** 2, 9)
