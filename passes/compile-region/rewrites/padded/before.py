"""An array with a rim around it, zeros or what stands at its edge."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def curved(phi: npt.NDArray[np.float64], seen: npt.NDArray[np.uint8]):
    p = np.pad(phi, 1, mode="edge")
    q = np.pad(seen, ((1, 0), (0, 2)))
    slope = (p[2:, 1:-1] - p[:-2, 1:-1]) ** 2 + (p[1:-1, 2:] - p[1:-1, :-2]) ** 2
    return np.sqrt(slope), q[1:, :-2] + q[:-1, 2:]


def cases():
    rng = np.random.default_rng(0)
    for rows, columns in ((4, 5), (1, 3), (2, 1)):
        yield "curved", (rng.normal(size=(rows, columns)), rng.integers(0, 9, (rows, columns), np.uint8))
    yield "curved", (np.ones((0, 3)), np.ones((0, 3), np.uint8)), ValueError
