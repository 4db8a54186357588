"""Directions as a list of pairs, weights as a list, and rows that are added to in place."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"omega": "float64"},
    inputs={"u": "float64"},
    state={"f": "float64"},
    once=True,
    compile=True,
)
def _relaxed_step(omega, u, f):
    """The array statements of an iteration of the loop in `relaxed`."""
    rho = f.sum(axis=0)
    f_part = np.full_like(f, -0.0)
    f_part[0] = np.broadcast_to(omega * (0.5 * rho * (1 + 3 * 0 * u) - f[0]), f_part[0].shape)
    f += f_part
    f_part_1 = np.full_like(f, -0.0)
    f_part_1[1] = np.broadcast_to(omega * (0.25 * rho * (1 + 3 * 1 * u) - f[1]), f_part_1[1].shape)
    f += f_part_1
    f_part_2 = np.full_like(f, -0.0)
    f_part_2[2] = np.broadcast_to(omega * (0.25 * rho * (1 + 3 * -1 * u) - f[2]), f_part_2[2].shape)
    f += f_part_2
    f[0] = np.roll(f[0], (0, 0), axis=(1, 0))
    f[1] = np.roll(f[1], (1, 0), axis=(1, 0))
    f[2] = np.roll(f[2], (-1, 0), axis=(1, 0))
    return (f,)


@npr.step(
    inputs={"u": "float64"},
    out={"f": "float64"},
    once=True,
    compile=True,
)
def _relaxed_region(u):
    """Lines of `relaxed`."""
    f = np.stack([u, 0.5 * u, 0.25 * u])
    return (f,)


@nprewrite.jit
def relaxed(u: npt.NDArray[np.float64], omega: float, trips: int):
    e = [(0, 0), (1, 0), (-1, 0)]
    w = [0.5, 0.25, 0.25]
    opposite = (0, 2, 1)
    for once in (region := _relaxed_region.over(range(1), u=u)):
        f = np.stack([u, 0.5 * u, 0.25 * u])
    if region.finished:
        (f,) = region.results
    del region
    with _relaxed_step.running(omega=omega, u=u, f=f) as run:
        for _ in range(trips):
            if not run.advance():
                rho = f.sum(axis=0)
                f[0] += omega * (0.5 * rho * (1 + 3 * 0 * u) - f[0])
                f[1] += omega * (0.25 * rho * (1 + 3 * 1 * u) - f[1])
                f[2] += omega * (0.25 * rho * (1 + 3 * -1 * u) - f[2])
                f[0] = np.roll(f[0], (0, 0), axis=(1, 0))
                f[1] = np.roll(f[1], (1, 0), axis=(1, 0))
                f[2] = np.roll(f[2], (-1, 0), axis=(1, 0))
            run.store()
            for k in opposite[1:]:
                f[k] *= 0.5
    return f


@nprewrite.jit
def exchanged(u: npt.NDArray[np.float64], trips: int):
    opposite = (0, 2, 1)
    f = np.stack([u, 0.5 * u, 0.25 * u])
    for _ in range(trips):
        g = f * 0.5
        for k, other in enumerate(opposite):
            f[k] = f[other] + g[k]
    return f


def cases():
    u = np.linspace(0, 1, 12).reshape(3, 4)
    for trips in (0, 1, 3):
        yield "relaxed", (u, 0.7, trips)
        yield "exchanged", (u, trips)
    yield "exchanged", (u.T, 2)
