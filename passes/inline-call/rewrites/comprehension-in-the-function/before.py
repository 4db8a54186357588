"""Labels of points by the nearest of some centres, which a function finds from a list."""

import numpy as np
import numpy.typing as npt

import nprewrite


def nearest(x, centres):
    distances = [abs(x - c) for c in centres]
    return int(np.argmin(distances)) + sum(1 for c in centres if c == x)


@nprewrite.jit
def labels(x: npt.NDArray[np.float64], centres: npt.NDArray[np.float64]):
    found = np.zeros(len(x))
    for i in range(len(x)):
        found[i] = nearest(x[i], centres)
    return found


def cases():
    yield "labels", (np.linspace(0.0, 5.0, 21), np.array([0.5, 4.0, 2.0]))
    yield "labels", (np.array([]), np.array([0.5, 4.0]))
