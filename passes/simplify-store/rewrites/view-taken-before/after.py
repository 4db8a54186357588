"""A view that an earlier statement takes too has one name, so that both run in one step."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"b": "float64"},
    state={"a_view": "float64"},
    read_first=("b",),
    once=True,
    compile=True,
)
def _relaxed_region(b, a_view):
    """Lines of `relaxed`."""
    lower = a_view * 2 + b < a_view * 0.5
    a_view[...] = np.where(lower, a_view + b, a_view - b)
    return (a_view,)


@nprewrite.jit
def relaxed(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], k: int):
    a_view = a[:, k]
    for once in (region := _relaxed_region.over(range(1), b=b, a_view=a_view)):
        lower = a_view * 2 + b < a_view * 0.5
        a_view[...] = np.where(lower, a_view + b, a_view - b)
    return a


def cases():
    rng = np.random.default_rng(1)
    for rows in (0, 1, 7):
        yield "relaxed", (rng.random((rows, 3)), rng.random(rows), 2)
