"""What is returned of selected elements has as many as the mask selects: the region ends before it."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"w": "float64", "x": "float64"},
    out={"y": "float64"},
    once=True,
    compile=True,
)
def _peaks_region(w, x):
    """Lines of `peaks`."""
    p = x * 2.0 + w
    y = p * p - w
    return (y,)


@nprewrite.jit
def peaks(x: npt.NDArray[np.float64], w: npt.NDArray[np.float64]):
    for once in (region := _peaks_region.over(range(1), w=w, x=x)):
        p = x * 2.0 + w
        y = p * p - w
    if region.finished:
        (y,) = region.results
    del region
    z = y[y > 0] * 2.0
    q = z * 3.0 + 1.0
    return np.sqrt(q * q + 0.5) - q


def cases():
    yield "peaks", (np.linspace(-1, 1, 9), np.linspace(0, 2, 9))
    yield "peaks", (np.zeros(3), np.zeros(3))
