"""What is evaluated before the part stays before it: ``take`` empties the array that is read after it."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


def take(x):
    with np.errstate(over="ignore"):
        total = x.sum()
    x[...] = 0
    return total


@npr.step(
    inputs={"x": "float64"},
    out={"sqrt_value": "float64"},
    once=True,
    compile=True,
)
def _drained_region(x):
    """Lines of `drained`."""
    sqrt_value = np.sqrt(x * x + 1)
    return (sqrt_value,)


@nprewrite.jit
def drained(x: npt.NDArray[np.float64]):
    take_value = take(x)
    for once in (region := _drained_region.over(range(1), x=x)):
        sqrt_value = np.sqrt(x * x + 1)
    if region.finished:
        (sqrt_value,) = region.results
    return [take_value, sqrt_value]


def cases():
    for size in (1, 6):
        yield "drained", (np.arange(1.0, size + 1),)
