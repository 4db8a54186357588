"""A time step that is NumPy's float64 on one path, Python's float or an integer on another: it serves as a float."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"u": "float64"},
    out={"dt": "float64"},
    once=True,
    compile=True,
)
def _advect_region(u):
    """Lines of `advect`."""
    dt = 0.25 / np.max(1.0 + np.abs(u))
    return (dt,)


@npr.step(
    constants={"dt": "float64"},
    carried={"u": "float64"},
    once=True,
    compile=True,
)
def _advect_region_1(dt, u):
    """Lines of `advect`."""
    slope = 0.5 * (np.roll(u, -1) - np.roll(u, 1))
    u = u - dt * u * slope
    return (u,)


@nprewrite.jit
def advect(u: npt.NDArray[np.float64], end: float):
    t = 0
    while t < end:
        for once in (region := _advect_region.over(range(1), u=u)):
            dt = 0.25 / np.max(1.0 + np.abs(u))
        if region.finished:
            (dt,) = region.results
        del region
        if t + dt > end:
            dt = end - t
        for once_1 in (region_1 := _advect_region_1.over(range(1), dt=dt, u=u)):
            slope = 0.5 * (np.roll(u, -1) - np.roll(u, 1))
            u = u - dt * u * slope
        if region_1.finished:
            (u,) = region_1.results
        del region_1
        t += dt
        print(f"{t:.3f}")
    return u, t


def cases():
    u = np.linspace(-1.0, 2.0, 12)
    yield "advect", (u, 0)
    yield "advect", (u, 1)
    yield "advect", (u, 0.1)
    yield "advect", (u, np.float64(0.6))
