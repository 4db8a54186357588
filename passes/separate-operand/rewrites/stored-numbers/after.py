"""A number computed from arrays, stored as an element: the store stays, and raises as before.

Hazards: 1.15
"""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"k": "float64"},
    inputs={"x": "float64", "y": "float64"},
    out={"max_value": "float64"},
    once=True,
    compile=True,
)
def _peaks_region(k, x, y):
    """Lines of `peaks`."""
    max_value = np.max(np.sqrt(x * x + k * y))
    return (max_value,)


@nprewrite.jit
def peaks(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], count: int):
    out = np.zeros(5)
    for k in range(count):
        for once in (region := _peaks_region.over(range(1), k=k, x=x, y=y)):
            max_value = np.max(np.sqrt(x * x + k * y))
        if region.finished:
            (max_value,) = region.results
        out[k] = max_value
    return out


def cases():
    rng = np.random.default_rng(1)
    for size, count in ((0, 3), (1, 3), (7, 5), (7, 6)):
        yield "peaks", (rng.random(size), rng.random(size), count)
