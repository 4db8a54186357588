"""Compiled code finds a position that is out of range before anything is stored; then NumPy raises.

Hazards: 3.exception
"""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"k": "int64", "x": "float64"},
    state={"y": "float64"},
    once=True,
    picks=True,
    compile=True,
)
def _picked_region(k, x, y):
    """Lines of `picked`."""
    y[:] = np.sqrt(y) + 1
    y += (x * 2)[k] * x[k - 1]
    return (y,)


@nprewrite.jit
def picked(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], k: npt.NDArray[np.int64]):
    for once in (region := _picked_region.over(range(1), k=k, x=x, y=y)):
        y[:] = np.sqrt(y) + 1
        y += (x * 2)[k] * x[k - 1]
    return y


def cases():
    yield "picked", (np.arange(3.0), np.arange(4.0), np.array([2, -1, 0, -2]))
    yield "picked", (np.arange(5.0), np.arange(4.0), np.array([-4, 4, 0, 1]))
    yield "picked", (np.arange(3.0), np.arange(4.0), np.array([0, 1, 2, 3])), IndexError
    yield "picked", (np.arange(3.0), np.arange(4.0), np.array([0, 1, 2, -4])), IndexError
