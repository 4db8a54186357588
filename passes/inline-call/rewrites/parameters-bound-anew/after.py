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
    carried={"a": "float64"},
    out={"pair_x": "float64"},
    once=True,
    compile=True,
)
def _mixed_region(shifted_by, a):
    """Lines of `mixed`."""
    a = a + shifted_by
    a += shifted_by
    pair_x = a * 2
    return a, pair_x


@npr.step(
    constants={"shifted_by_1": "float64"},
    inputs={"x": "float64", "a": "float64"},
    carried={"pair_x": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _mixed_region_1(shifted_by_1, x, a, pair_x):
    """Lines of `mixed`."""
    pair_x = pair_x + shifted_by_1
    pair_x += shifted_by_1
    b, c = (pair_x * x, pair_x - x)
    result = a + b * c
    return pair_x, result


@nprewrite.jit
def mixed(x: npt.NDArray[np.float64], by: float):
    a = x
    shifted_by = 1.0
    shifted_by = shifted_by * by
    for once in (region := _mixed_region.over(range(1), shifted_by=shifted_by, a=a)):
        a = a + shifted_by
        a += shifted_by
        pair_x = a * 2
        shifted_by_1 = 1.0
    del shifted_by
    if region.finished:
        (a, pair_x) = region.results
    del region
    shifted_by_1 = 1.0
    shifted_by_1 = shifted_by_1 * 2.0
    for once_1 in (region_1 := _mixed_region_1.over(
        range(1),
        shifted_by_1=shifted_by_1,
        x=x,
        a=a,
        pair_x=pair_x,
    )):
        pair_x = pair_x + shifted_by_1
        pair_x += shifted_by_1
        b, c = (pair_x * x, pair_x - x)
        return a + b * c
    del shifted_by_1
    (pair_x, result) = region_1.results
    return result


def cases():
    for size in (0, 4):
        yield "mixed", (np.arange(float(size)), 0.25)
