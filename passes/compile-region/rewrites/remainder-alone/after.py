"""A remainder takes NumPy ten times as long as a sum: by itself, too, it is worth a step."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"width": "float64"},
    inputs={"x": "float64"},
    out={"y": "float64"},
    once=True,
    compile=True,
)
def _wrapped_region(width, x):
    """Lines of `wrapped`."""
    y = npr.remainder(x, width)
    return (y,)


@npr.step(
    constants={"width": "float64"},
    inputs={"y": "float64"},
    out={"z": "float64"},
    once=True,
    compile=True,
)
def _wrapped_region_1(width, y):
    """Lines of `wrapped`."""
    z = np.arctan2(y, width)
    return (z,)


@nprewrite.jit
def wrapped(x: npt.NDArray[np.float64], width: float):
    for once in (region := _wrapped_region.over(range(1), width=width, x=x)):
        y = np.mod(x, width)
    if region.finished:
        (y,) = region.results
    del region
    print(len(y))
    for once_1 in (region_1 := _wrapped_region_1.over(range(1), width=width, y=y)):
        z = np.arctan2(y, width)
    if region_1.finished:
        (z,) = region_1.results
    del region_1
    print(len(z))
    w = y + 1.0
    print(len(w))
    return w


def cases():
    yield "wrapped", (np.array([-1.5, 0.0, 2.5, 7.0, np.inf, np.nan]), 2.0)
    yield "wrapped", (np.array([-1.5, -0.0, 2.5]), -2.0)
    yield "wrapped", (np.ones(3), 0.0)
