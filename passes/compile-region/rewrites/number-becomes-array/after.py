"""A name is a number first and an array later, and read behind the region as what it is then."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    scalars={"scalar_float64": "float64"},
    inputs={"x": "float64"},
    out={"u": "float64", "w": "float64"},
    once=True,
    compile=True,
)
def _settled_region(scalar_float64, x):
    """Lines of `settled`."""
    u = np.sin(x) + 1
    w = scalar_float64 * x + np.sqrt(u)
    return u, w


@npr.step(
    constants={"y": "float64"},
    inputs={"w": "float64"},
    carried={"u": "float64"},
    out={"y": "float64"},
    once=True,
    compile=True,
)
def _settled_region_1(y, w, u):
    """Lines of `settled`."""
    y = y - w
    u = u + y
    return u, y


@nprewrite.jit
def settled(x: npt.NDArray[np.float64]):
    for once in (region := _settled_region.over(range(1), scalars=lambda once: (0.01,), x=x)):
        u = np.sin(x) + 1
        y = 0.01
        w = y * x + np.sqrt(u)
    if region.finished:
        (u, w) = region.results
    del region
    y = 0.01
    for once_1 in (region_1 := _settled_region_1.over(range(1), y=y, w=w, u=u)):
        y = y - w
        u = u + y
    if region_1.finished:
        (u, y) = region_1.results
    del region_1
    print(len(u))
    return y, u


def cases():
    yield "settled", (np.arange(4.0),)
    yield "settled", (np.ones((2, 0)),)
