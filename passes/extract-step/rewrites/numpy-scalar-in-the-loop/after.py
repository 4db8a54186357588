"""A np.float64 added to float32 lanes is added in float64, and the sum is stored as float32.

A Python number given in its place, or the other way round, is refused by a guard: it would not widen.

Hazards: 1.6
"""

import math

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr
import nprewrite


@npr.step(
    counter="_",
    constants={"dx": npr.scalar("float64")},
    state={"x": "float32"},
    lanewise=True,
    chunked=True,
    live="m",
    compile=True,
)
def _walk_step(dx, x):
    """One iteration of the loop over `_` in `walk`."""
    m = x < 3.0
    x = np.where(m, (x + dx).astype(np.float32), x)
    return x, m


def walk(x: npt.NDArray[np.float32], trips: int):
    dx = np.float64(0.1)
    for _ in _walk_step.over(range(trips), dx=dx, x=x):
        m = x < 3.0
        x[m] = x[m] + dx
    return x


@npr.step(
    counter="n",
    scalars={"scalar_float64": npr.scalar("float64"), "scalar_float64_1": npr.scalar("float64")},
    constants={"dt": npr.scalar("float64")},
    state={"u": "float64"},
    ranks={"u": 1},
    looped=True,
    compile=True,
)
def _spread_step(scalar_float64, scalar_float64_1, dt, u):
    """One iteration of the loop over `n` in `spread`."""
    u[1:-1] += dt * (u[2:] - 2 * u[1:-1] + u[:-2]) / scalar_float64
    u[0] = scalar_float64_1
    return (u,)


def spread(size: int, trips: int):
    x = np.linspace(0.0, 1.0, size)
    dx = x[1] - x[0]
    dt = 0.2 * dx**2
    u = np.sin(math.pi * x)
    for n in _spread_step.over(
        range(trips),
        scalars=lambda n: (dx ** 2, np.sin(0.1 * n * dt) + math.exp(-n)),
        dt=dt,
        u=u,
    ):
        u[1:-1] += dt * (u[2:] - 2 * u[1:-1] + u[:-2]) / dx**2
        u[0] = np.sin(0.1 * n * dt) + math.exp(-n)
    return u, dx


@nprewrite.jit
def widened(x: npt.NDArray[np.float32], factor: np.float64, trips: int):
    for n in range(trips):
        x = x * factor
    return x


def cases():
    row = np.array([0.1, -0.7, 2.9999, 3.0, np.nan, -np.inf], dtype=np.float32)
    for trips in (9, 203, 8, 1, 0):
        yield "walk", (row.copy(), trips)
        yield "spread", (12, trips)
    yield "spread", (1, 3), IndexError
    yield "widened", (row, np.float64(1.1), 3)
    yield "widened", (row, 1.1, 3)
