"""An argument that is stored into, and a number that is returned with a new array."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"rate": "float64"},
    state={"u": "float64"},
    out={"result_1": "float64", "result_2": "float64"},
    once=True,
    compile=True,
)
def _settle_region(rate, u):
    """Lines of `settle`."""
    u[1:-1] += rate * (u[2:] - 2 * u[1:-1] + u[:-2])
    u[0] = u[1]
    result_1, result_2 = np.abs(u).max(), u * 2
    return u, result_1, result_2


@nprewrite.jit
def settle(u: npt.NDArray[np.float64], rate: float):
    for once in (region := _settle_region.over(range(1), rate=rate, u=u)):
        u[1:-1] += rate * (u[2:] - 2 * u[1:-1] + u[:-2])
        u[0] = u[1]
        return np.abs(u).max(), u * 2
    (result_1, result_2) = region.results
    return result_1, result_2


def cases():
    yield "settle", (np.arange(6.0) ** 2, 0.1)
    yield "settle", (np.arange(12.0)[::-2] ** 2, 0.1)
    yield "settle", (np.arange(6.0), np.float64(0.1))
    yield "settle", (np.ones(1), 0.1), IndexError
    yield "settle", (np.arange(12.0).reshape(4, 3), 0.1)
