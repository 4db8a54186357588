"""The same text for two views: the position changes between the statements."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"b": "float64", "value": "float64"},
    out={"d": "float64"},
    once=True,
    compile=True,
)
def _moved_region(b, value):
    """Lines of `moved`."""
    d = value * 2 + b
    return (d,)


@npr.step(
    inputs={"d": "float64"},
    state={"a_view": "float64"},
    read_first=("d",),
    once=True,
    compile=True,
)
def _moved_region_1(d, a_view):
    """Lines of `moved`."""
    a_view[...] = a_view * d + d
    return (a_view,)


@nprewrite.jit
def moved(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], k: int):
    value = a[:, k]
    for once in (region := _moved_region.over(range(1), b=b, value=value)):
        d = value * 2 + b
    del value
    if region.finished:
        (d,) = region.results
    del region
    k = k + 1
    a_view = a[:, k]
    for once_1 in (region_1 := _moved_region_1.over(range(1), d=d, a_view=a_view)):
        a_view[...] = a_view * d + d
    return a


def cases():
    rng = np.random.default_rng(1)
    for rows in (0, 1, 7):
        yield "moved", (rng.random((rows, 5)), rng.random(rows), 2)
