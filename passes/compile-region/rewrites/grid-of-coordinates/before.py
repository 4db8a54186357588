"""The coordinates of a grid are arrays of their own, which may be changed."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def crossed(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]):
    X, Y = np.meshgrid(x, y, indexing="ij")
    X += 1
    return X * Y, np.ones_like(X, dtype=bool) & (X < Y)


def cases():
    yield "crossed", (np.arange(4.0), np.arange(3.0))
    yield "crossed", (np.arange(1.0), np.arange(2.0))
    yield "crossed", (np.arange(4.0).reshape(2, 2), np.arange(3.0))
