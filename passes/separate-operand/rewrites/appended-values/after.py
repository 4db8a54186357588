"""Array code as the argument of a method: the list is filled as before.

Hazards: 1.15
"""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"k": "float64"},
    inputs={"x": "float64", "y": "float64"},
    out={"sqrt_value": "float64"},
    once=True,
    compile=True,
)
def _lengths_region(k, x, y):
    """Lines of `lengths`."""
    sqrt_value = np.sqrt(x * x + k * y)
    return (sqrt_value,)


@nprewrite.jit
def lengths(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], count: int):
    found = []
    for k in range(count):
        for once in (region := _lengths_region.over(range(1), k=k, x=x, y=y)):
            sqrt_value = np.sqrt(x * x + k * y)
        if region.finished:
            (sqrt_value,) = region.results
        del region
        found.append(sqrt_value)
        del sqrt_value
    return found


def cases():
    rng = np.random.default_rng(1)
    for size in (0, 1, 7):
        yield "lengths", (rng.random(size), rng.random(size), 3)
