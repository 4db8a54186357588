"""The length of an array has a name, as which a region has it for lengths and for numbers."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"u": "float64", "v": "float64"},
    out={"w": "float64", "z": "float64"},
    once=True,
    compile=True,
)
def _padded_region(u, v):
    """Lines of `padded`."""
    w = u * v + 1
    z = np.zeros((len(u) - 1) + 2)
    z[:(len(u) - 1) // 2] = w[:(len(u) - 1) // 2]
    z[(len(u) - 1) // 2 : (len(u) - 1) + 1] += w[(len(u) - 1) // 2:]
    return w, z


@nprewrite.jit
def padded(u: npt.NDArray[np.float64], v: npt.NDArray[np.float64]):
    for once in (region := _padded_region.over(range(1), u=u, v=v)):
        w = u * v + 1
        n = len(u) - 1
        half = n // 2
        z = np.zeros(n + 2)
        z[:half] = w[:half]
        z[half : n + 1] += w[half:]
    if region.finished:
        (w, z) = region.results
    del region
    n = len(u) - 1
    return z / (n + 1), w[1:]


def cases():
    yield "padded", (np.arange(5.0), np.arange(5.0))
    yield "padded", (np.arange(1.0), np.arange(1.0))
    yield "padded", (np.arange(4.0), np.arange(1.0))
    yield "padded", (np.arange(0.0), np.arange(0.0))
