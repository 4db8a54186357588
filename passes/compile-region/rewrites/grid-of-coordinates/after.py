"""The coordinates of a grid are arrays of their own, which may be changed."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"x": "float64", "y": "float64"},
    out={"result_1": "float64", "result_2": "bool"},
    once=True,
    compile=True,
)
def _crossed_region(x, y):
    """Lines of `crossed`."""
    X, Y = np.meshgrid(x, y, indexing="ij")
    X += 1
    result_1, result_2 = X * Y, np.ones_like(X, dtype=bool) & (X < Y)
    return result_1, result_2


@nprewrite.jit
def crossed(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]):
    for once in (region := _crossed_region.over(range(1), x=x, y=y)):
        X, Y = np.meshgrid(x, y, indexing="ij")
        X += 1
        return X * Y, np.ones_like(X, dtype=bool) & (X < Y)
    (result_1, result_2) = region.results
    return result_1, result_2


def cases():
    yield "crossed", (np.arange(4.0), np.arange(3.0))
    yield "crossed", (np.arange(1.0), np.arange(2.0))
    yield "crossed", (np.arange(4.0).reshape(2, 2), np.arange(3.0))
