"""An argument that is stored into, and a number that is returned with a new array."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def settle(u: npt.NDArray[np.float64], rate: float):
    u[1:-1] += rate * (u[2:] - 2 * u[1:-1] + u[:-2])
    u[0] = u[1]
    return np.abs(u).max(), u * 2


def cases():
    yield "settle", (np.arange(6.0) ** 2, 0.1)
    yield "settle", (np.arange(12.0)[::-2] ** 2, 0.1)
    yield "settle", (np.arange(6.0), np.float64(0.1))
    yield "settle", (np.ones(1), 0.1), IndexError
    yield "settle", (np.arange(12.0).reshape(4, 3), 0.1)
