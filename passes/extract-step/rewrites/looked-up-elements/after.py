"""The trip's element of an array that never changes is a number that Python looks up before the trip."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="t",
    scalars={"scalar_float64": npr.scalar("float64")},
    constants={"dt": "float64"},
    state={"x": "float64", "v": "float64"},
    apart=("force",),
    lanewise=True,
    chunked=True,
    compile=True,
)
def _driven_step(scalar_float64, dt, x, v):
    """One iteration of the loop over `t` in `driven`."""
    v += dt * (scalar_float64 - x)
    x += dt * v
    return x, v


def driven(size: int, trips: int, dt: float):
    force = np.sin(np.arange(20) * 0.1)
    x = np.zeros(size)
    v = np.linspace(0, 1, size)
    for t in _driven_step.over(
        range(trips),
        scalars=lambda t: (force[t],),
        dt=dt,
        x=x,
        v=v,
        force=force,
    ):
        v += dt * (force[t] - x)
        x += dt * v
    return x


@npr.step(
    counter="t",
    scalars={"scalar_float64_1": npr.scalar("float64"), "scalar_float64_2": "float64"},
    state={"ex": "float64", "hz": "float64"},
    apart=("source",),
    compile=True,
)
def _waves_step(scalar_float64_1, scalar_float64_2, ex, hz):
    """One iteration of the loop over `t` in `waves`."""
    ex[0, :] = scalar_float64_1 / scalar_float64_2
    ex[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
    hz[:-1, :] -= 0.7 * (ex[1:, :] - ex[:-1, :]).astype(np.float64)
    return ex, hz


def waves(ex: npt.NDArray[np.float64], hz: npt.NDArray[np.float64], trips: int):
    source = np.arange(trips) * 1.0
    for t in _waves_step.over(
        range(trips),
        scalars=lambda t: (source[-t - 1], len(hz)),
        ex=ex,
        hz=hz,
        source=source,
    ):
        ex[0, :] = source[-t - 1] / len(hz)
        ex[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        hz[:-1, :] -= 0.7 * (ex[1:, :] - ex[:-1, :]).astype(hz.dtype)
    return hz


def cases():
    for trips in (0, 1, 9, 20):
        yield "driven", (7, trips, 0.1)
    yield "driven", (7, 21, 0.1), IndexError
    for trips in (0, 1, 9):
        yield "waves", (np.ones((5, 4)), np.full((5, 4), 2.0), trips)
    yield "waves", (np.ones(5), np.ones(5), 3), IndexError
