"""Other code can bind the global to something else."""

import numpy as np
import numpy.typing as npt

GRID = np.zeros(4)


def fill(x: npt.NDArray[np.float64]):
    for i in range(len(x)):
        GRID[i] = x[i]
    return GRID.copy()


def cases():
    yield "fill", (np.arange(4.0),)
