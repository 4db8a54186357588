"""The body of a loop that is no step itself: the test stays in Python, between the regions of two trips."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    state={"u": "float64"},
    out={"value": "float64"},
    once=True,
    compile=True,
)
def _relax_region(u):
    """Lines of `relax`."""
    before = u.copy()
    u[1:-1] = 0.5 * (before[:-2] + before[2:])
    value = 0.5 * (u[0] + u[-1])
    return u, value


@nprewrite.jit
def relax(u: npt.NDArray[np.float64], tolerance: float, most: int):
    trips = 0
    while np.ptp(u) > tolerance and trips < most:
        for once in (region := _relax_region.over(range(1), u=u)):
            before = u.copy()
            u[1:-1] = 0.5 * (before[:-2] + before[2:])
            value = 0.5 * (u[0] + u[-1])
        if region.finished:
            (value,) = region.results
        del region
        u[0] = u[-1] = value
        del value
        trips += 1
    return u, trips


def cases():
    yield "relax", (np.arange(9.0) ** 2, 1e-3, 500)
    yield "relax", (np.arange(9.0) ** 2, 1e-3, 3)
    yield "relax", (np.arange(9.0)[::-1] ** 2, 1e9, 3)
    yield "relax", (np.arange(12.0).reshape(4, 3), 1e-3, 500)
