"""The same text for two views: the position changes between the statements."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def moved(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], k: int):
    d = a[:, k] * 2 + b
    k = k + 1
    a[:, k] = a[:, k] * d + d
    return a


def cases():
    rng = np.random.default_rng(1)
    for rows in (0, 1, 7):
        yield "moved", (rng.random((rows, 5)), rng.random(rows), 2)
