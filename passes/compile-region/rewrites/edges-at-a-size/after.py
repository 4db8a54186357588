"""A row, a column and a corner at a size of the caller: the edges of a grid of n cells and a rim."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"sign": "float64"},
    sizes=("n",),
    state={"x": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _mirrored_region(sign, n, x):
    """Lines of `mirrored`."""
    x[0, 1 : n + 1] = sign * x[1, 1 : n + 1]
    x[n + 1, 1:-1] = sign * x[n, 1:-1]
    x[1:-1, n + 1] = x[1:-1, n]
    x[n + 1, n + 1] = 0.5 * (x[n, n + 1] + x[n + 1, n])
    result = x[n,] * 2 + x[n - 2,]
    return x, result


@nprewrite.jit
def mirrored(x: npt.NDArray[np.float64], n: int, sign: float):
    for once in (region := _mirrored_region.over(range(1), sign=sign, n=n, x=x)):
        x[0, 1 : n + 1] = sign * x[1, 1 : n + 1]
        x[n + 1, 1:-1] = sign * x[n, 1:-1]
        x[1:-1, n + 1] = x[1:-1, n]
        x[n + 1, n + 1] = 0.5 * (x[n, n + 1] + x[n + 1, n])
        return x[n] * 2 + x[n - 2]
    (result,) = region.results
    return result


def cases():
    yield "mirrored", (np.arange(36.0).reshape(6, 6), 4, -1.0)
    yield "mirrored", (np.arange(64.0).reshape(8, 8), 6, 1.0)
    yield "mirrored", (np.arange(64.0).reshape(8, 8), 3, 0.5)
    yield "mirrored", (np.arange(36.0).reshape(6, 6), 1, -1.0)
    yield "mirrored", (np.arange(36.0).reshape(6, 6), 0, -1.0)
    yield "mirrored", (np.arange(36.0).reshape(6, 6), -2, -1.0)
    yield "mirrored", (np.arange(36.0).reshape(6, 6)[::-1, ::2].repeat(2, 1), 4, -1.0)
    yield "mirrored", (np.arange(36.0).reshape(6, 6), 5, -1.0), IndexError
    yield "mirrored", (np.arange(36.0).reshape(6, 6), 4.0, -1.0), TypeError
    yield "mirrored", (np.arange(36.0).reshape(6, 6), np.int64(4), -1.0)
    yield "mirrored", (np.arange(36.0).reshape(6, 6), True, -1.0), ValueError
