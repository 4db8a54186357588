"""Minus a difference is the difference the other way round, but for the sign of zero: both are computed."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"u": "float64"},
    state={"x": "float64"},
    once=True,
    compile=True,
)
def _spread_region(u, x):
    """Lines of `spread`."""
    x_part = np.full_like(x, -0.0)
    x_part[1:] = np.broadcast_to(u[1:] - u[:-1], x_part[1:].shape)
    x += x_part
    x_part_1 = np.full_like(x, -0.0)
    x_part_1[:-1] = np.broadcast_to(u[:-1] - u[1:], x_part_1[:-1].shape)
    x += x_part_1
    return (x,)


@nprewrite.jit
def spread(x: npt.NDArray[np.float64], u: npt.NDArray[np.float64]):
    for once in (region := _spread_region.over(range(1), u=u, x=x)):
        x[1:] += u[1:] - u[:-1]
        x[:-1] += u[:-1] - u[1:]


def cases():
    yield "spread", (np.full(4, -0.0), np.ones(4))
    yield "spread", (np.full(3, -0.0), np.array([0.0, -0.0, 0.0]))
    yield "spread", (np.arange(5.0), np.arange(5.0) ** 2)
