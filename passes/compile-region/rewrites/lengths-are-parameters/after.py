"""Integers of the caller say how long arrays are and where slices end: a step takes them as they are."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"n_float64": "float64"},
    sizes=("n", "width", "rows"),
    state={"u": "float64"},
    out={"result_1": "float64", "result_2": "float64"},
    once=True,
    compile=True,
)
def _smeared_region(n_float64, n, width, rows, u):
    """Lines of `smeared`."""
    z = np.zeros((n, 2 * width))
    z[:rows, : width + 1] = u[:rows, 1 : width + 2] * 2
    u[1 : n - 1] += z[1:-1, : u.shape[1]] / n_float64
    result_1, result_2 = z + np.arange(2 * width), np.full((rows, 3), 0.5) * 4
    return u, result_1, result_2


@nprewrite.jit
def smeared(u: npt.NDArray[np.float64], n: int, width: int):
    rows = n // 2
    for once in (region := _smeared_region.over(
        range(1),
        n_float64=n,
        n=n,
        width=width,
        rows=rows,
        u=u,
    )):
        z = np.zeros((n, 2 * width))
        z[:rows, : width + 1] = u[:rows, 1 : width + 2] * 2
        u[1 : n - 1] += z[1:-1, : u.shape[1]] / n
        return z + np.arange(2 * width), np.full((rows, 3), 0.5) * 4
    (result_1, result_2) = region.results
    return result_1, result_2


def cases():
    yield "smeared", (np.ones((5, 6)), 5, 3)
    yield "smeared", (np.ones((9, 8)), 9, 4)
    yield "smeared", (np.ones((5, 4)), 5, 2)
    yield "smeared", (np.ones((5, 6)), 4, 3)
    yield "smeared", (np.ones((1, 0)), 1, 0)
    yield "smeared", (np.ones((5, 6)), 0, 3), ValueError
    yield "smeared", (np.ones((5, 6)), -1, 3), ValueError
    yield "smeared", (np.ones((5, 6)), 5.0, 3), TypeError
    yield "smeared", (np.ones((5, 6)), np.int64(5), 3)
