"""The length of an array has a name, as which a region has it for lengths and for numbers."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def padded(u: npt.NDArray[np.float64], v: npt.NDArray[np.float64]):
    w = u * v + 1
    n = len(u) - 1
    half = n // 2
    z = np.zeros(n + 2)
    z[:half] = w[:half]
    z[half : n + 1] += w[half:]
    return z / (n + 1), w[1:]


def cases():
    yield "padded", (np.arange(5.0), np.arange(5.0))
    yield "padded", (np.arange(1.0), np.arange(1.0))
    yield "padded", (np.arange(4.0), np.arange(1.0))
    yield "padded", (np.arange(0.0), np.arange(0.0))
