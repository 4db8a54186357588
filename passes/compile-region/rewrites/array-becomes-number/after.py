"""A name that is an array where it is read first, and a number later, ends the region before the number."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"t": "float64", "x": "float64"},
    out={"u": "float64", "v": "float64"},
    once=True,
    compile=True,
)
def _settled_region(t, x):
    """Lines of `settled`."""
    u = np.sin(x) * t + np.cos(x) * t
    v = u * t + 1.0
    return u, v


@npr.step(
    constants={"t": "float64"},
    inputs={"v": "float64"},
    carried={"u": "float64"},
    once=True,
    compile=True,
)
def _settled_region_1(t, v, u):
    """Lines of `settled`."""
    u = u * 0.5 + v * t
    return (u,)


@nprewrite.jit
def settled(x: npt.NDArray[np.float64], t: npt.NDArray[np.float64]):
    for once in (region := _settled_region.over(range(1), t=t, x=x)):
        u = np.sin(x) * t + np.cos(x) * t
        v = u * t + 1.0
    if region.finished:
        (u, v) = region.results
    del region
    t = 1
    for once_1 in (region_1 := _settled_region_1.over(range(1), t=t, v=v, u=u)):
        u = u * 0.5 + v * t
    if region_1.finished:
        (u,) = region_1.results
    return u, v, t


def cases():
    yield "settled", (np.arange(4.0), np.arange(4.0) + 2)
    yield "settled", (np.ones(0), np.ones(0))
