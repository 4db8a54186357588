"""Phases on a lattice pull at their neighbours; what one gains by a bond the other one gains negatively."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def rate(u: npt.NDArray[np.float64], omega: npt.NDArray[np.float64], K: float):
    d = omega.copy()
    right = u[:, 1:] - u[:, :-1]
    d[:, :-1] += K * np.sin(right)  # to the right
    d[:, 1:] += K * np.sin(-right)
    d[:-1, :] += K * np.sin(u[1:, :] - u[:-1, :])
    d[1:, :] += K * np.sin(u[:-1, :] - u[1:, :])
    return d


def cases():
    rng = np.random.default_rng(1)
    for shape in [(5, 4), (1, 3), (1, 1), (0, 2)]:
        yield "rate", (rng.normal(size=shape), rng.normal(size=shape), 2.0)
    u = np.array([[0.0, np.inf, 1.0], [np.nan, -0.0, 2.0]])
    yield "rate", (u, np.full((2, 3), -0.0), 0.5)
    yield "rate", (np.zeros((3, 4)), np.zeros((4, 3)), 1.0), ValueError
    yield "rate", (np.zeros(4), np.zeros(4), 1.0), IndexError
