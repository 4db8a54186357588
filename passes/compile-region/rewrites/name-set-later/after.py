"""A mask that has no value yet in the first iteration: the statements before the one that reads it run first."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    state={"x": "float64"},
    once=True,
    compile=True,
)
def _fade_region(x):
    """Lines of `fade`."""
    x[...] = np.exp(-x) * 0.5 + np.sqrt(np.abs(x))
    return (x,)


@nprewrite.jit
def fade(x: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        for once in (region := _fade_region.over(range(1), x=x)):
            x[...] = np.exp(-x) * 0.5 + np.sqrt(np.abs(x))
        x[low] *= 0.5
        low = x < 0.75
    return x


def cases():
    yield "fade", (np.linspace(0.0, 2.0, 5), 0)
    yield "fade", (np.linspace(0.0, 2.0, 5), 3), UnboundLocalError
