"""A number that is read after the region is computed anew there; a shape is that of the array from before."""

import numpy as np

import nprewrite


@nprewrite.jit
def density(count: int, cells: int, width: float):
    pos, vel = np.linspace(0, 2, count), np.linspace(-1, 1, count)
    for _ in range(3):
        pos += vel
        pos = np.mod(pos, width)
        n = pos.shape[0]
        dx = width / cells
        j = np.floor(pos / dx).astype(int)
        counts = np.bincount(j, minlength=cells)
        vel = vel + counts[j] * (dx / n)
    return pos, vel


def cases():
    yield "density", (6, 8, 4.0)
