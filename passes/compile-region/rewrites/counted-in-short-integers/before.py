"""A region ends before a sum into integers that torch has no sums of."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def grown(grid: npt.NDArray[np.uint8], chance: npt.NDArray[np.float64], count: npt.NDArray[np.uint16]):
    near = grid > 1
    new = np.where(near & (chance < 0.5), 2, grid)
    count += new > 1
    return new * 2 + 1


def cases():
    rng = np.random.default_rng(0)
    for size in (1, 9):
        grid = rng.integers(0, 3, size, np.uint8)
        yield "grown", (grid, rng.random(size), np.full(size, 65535, np.uint16))
