"""Minus a difference is the difference the other way round, but for the sign of zero: both are computed."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def spread(x: npt.NDArray[np.float64], u: npt.NDArray[np.float64]):
    x[1:] += u[1:] - u[:-1]
    x[:-1] += u[:-1] - u[1:]


def cases():
    yield "spread", (np.full(4, -0.0), np.ones(4))
    yield "spread", (np.full(3, -0.0), np.array([0.0, -0.0, 0.0]))
    yield "spread", (np.arange(5.0), np.arange(5.0) ** 2)
