"""Sums that become a column, of a length with a name: nobody else sees the memory, and it leaves the region."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def density(pos: npt.NDArray[np.float64], mass: float, h: float):
    print("density of", len(pos))
    dx = pos[:, :1] - pos[:, :1].T
    dy = pos[:, 1:] - pos[:, 1:].T
    w = np.exp(-(dx**2 + dy**2) / h**2)
    count = pos.shape[0]
    rho = np.sum(mass * w, 1).reshape((count, 1))
    print("done")
    rho += 1.0
    return rho


def cases():
    for count in (0, 1, 5):
        yield "density", (np.linspace(0.0, 1.0, 2 * count).reshape(count, 2), 0.5, 0.25)
