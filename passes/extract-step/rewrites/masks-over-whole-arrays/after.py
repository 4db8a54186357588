"""A stencil inside of a mask: the mask and what it selects from must have one shape, which a guard sees to.

Hazards: 1.8
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    inputs={"solid": "bool"},
    state={"u": "float64"},
    aligned=("u", "solid"),
    compile=True,
)
def _flow_step(solid, u):
    """One iteration of the loop over `_` in `flow`."""
    u[1:-1] = 0.5 * (u[:-2] + u[2:])
    u[...] = np.where(solid, 0.0, u)
    return (u,)


def flow(u: npt.NDArray[np.float64], solid: npt.NDArray[np.bool_], trips: int):
    for _ in _flow_step.over(range(trips), solid=solid, u=u):
        u[1:-1] = 0.5 * (u[:-2] + u[2:])
        u[solid] = 0.0
    return u


@npr.step(
    counter="_",
    inputs={"source": "float32"},
    state={"u": "float32"},
    aligned=("u", "source"),
    compile=True,
)
def _heated_step(source, u):
    """One iteration of the loop over `_` in `heated`."""
    hot = u > u.mean() + np.float32(0.25)
    u[...] = np.where(hot, u - (source * np.float32(0.5)), u)
    share = np.where(~hot, u, 0).sum() / np.sum(~hot).astype(np.float32)
    u += share * np.float32(0.125)
    return (u,)


def heated(u: npt.NDArray[np.float32], source: npt.NDArray[np.float32], trips: int):
    for _ in _heated_step.over(range(trips), source=source, u=u):
        hot = u > u.mean() + np.float32(0.25)
        u[hot] -= source[hot] * np.float32(0.5)
        share = u[~hot].mean()
        u += share * np.float32(0.125)
    return u


def cases():
    wall = np.array([False, True, False, False, True, False])
    for trips in (9, 1, 0):
        yield "flow", (np.arange(6.0) ** 2, wall, trips)
        yield "heated", (np.arange(6, dtype=np.float32), np.ones(6, np.float32), trips)
    yield "flow", (np.arange(12.0).reshape(6, 2), wall, 3)
    yield "flow", (np.arange(5.0), wall, 3), IndexError
    yield "flow", (np.arange(6.0), wall.astype(np.uint8), 3)
    yield "heated", (np.ones((2, 3), np.float32), np.ones(3, np.float32), 3), IndexError
    yield "heated", (np.full(4, np.nan, np.float32), np.ones(4, np.float32), 3)
