"""A parameter that the function binds anew, or changes with ``+=``, is a name of its own; defaults by keyword."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


def shifted(x, by=1.0, *, scale=2.0):
    by = by * scale
    x = x + by
    x += by
    return x


def pair(x, y):
    return x * y, x - y


@npr.step(
    constants={"shifted_by": "float64"},
    carried={"shifted_x": "float64"},
    once=True,
    compile=True,
)
def _mixed_region(shifted_by, shifted_x):
    """Lines of `mixed`."""
    shifted_x = shifted_x + shifted_by
    shifted_x += shifted_by
    return (shifted_x,)


@npr.step(
    constants={"shifted_by_1": "float64"},
    inputs={"x": "float64", "a": "float64"},
    carried={"shifted_x_1": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _mixed_region_1(shifted_by_1, x, a, shifted_x_1):
    """Lines of `mixed`."""
    shifted_x_1 = shifted_x_1 + shifted_by_1
    shifted_x_1 += shifted_by_1
    pair_x = shifted_x_1
    b, c = (pair_x * x, pair_x - x)
    result = a + b * c
    return shifted_x_1, result


@nprewrite.jit
def mixed(x: npt.NDArray[np.float64], by: float):
    shifted_x = x
    shifted_by = 1.0
    shifted_by = shifted_by * by
    for once in (region := _mixed_region.over(range(1), shifted_by=shifted_by, shifted_x=shifted_x)):
        shifted_x = shifted_x + shifted_by
        shifted_x += shifted_by
    if region.finished:
        (shifted_x,) = region.results
    a = shifted_x
    shifted_x_1 = a * 2
    shifted_by_1 = 1.0
    shifted_by_1 = shifted_by_1 * 2.0
    for once_1 in (region_1 := _mixed_region_1.over(
        range(1),
        shifted_by_1=shifted_by_1,
        x=x,
        a=a,
        shifted_x_1=shifted_x_1,
    )):
        shifted_x_1 = shifted_x_1 + shifted_by_1
        shifted_x_1 += shifted_by_1
        pair_x = shifted_x_1
        b, c = (pair_x * x, pair_x - x)
        return a + b * c
    (shifted_x_1, result) = region_1.results
    return result


def cases():
    for size in (0, 4):
        yield "mixed", (np.arange(float(size)), 0.25)
