"""Parts of an array with weights from a table, as a list, and added to what there is already."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def blended(u: npt.NDArray[np.float64], trips: int):
    weights = [0.5, 0.25, 0.125]
    for _ in range(trips):
        parts = np.stack([w * np.roll(u, k) for k, w in enumerate(weights)])
        u = sum((parts[k] for k in range(3) if k != 1), 0.125 * u)
    return u


def cases():
    for trips in (0, 1, 4):
        yield "blended", (np.linspace(0, 1, 7), trips)
    yield "blended", (np.zeros(0), 2)
    yield "blended", (np.array([-0.0, np.nan, np.inf]), 1)
