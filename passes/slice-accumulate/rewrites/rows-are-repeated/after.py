"""A row is added to several rows; one with more axes than the part raises, as an assignment would not.

Hazards: 5.broadcast
"""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"x": "float64", "wind": "float64"},
    out={"d": "float64"},
    once=True,
    compile=True,
)
def _drift_region(x, wind):
    """Lines of `drift`."""
    d = x * 0.5
    d_term = wind * 2.0
    d_part = np.full_like(d, -0.0)
    d_part[1:] = np.broadcast_to(d_term, d_part[1:].shape)
    d += d_part
    d_part_1 = np.zeros_like(d)
    d_part_1[:-1] = np.broadcast_to(d_term, d_part_1[:-1].shape)
    d -= d_part_1
    return (d,)


@nprewrite.jit
def drift(x: npt.NDArray[np.float64], wind: npt.NDArray[np.float64]):
    for once in (region := _drift_region.over(range(1), x=x, wind=wind)):
        d = x * 0.5
        d[1:] += wind * 2.0
        d[:-1] -= wind * 2.0
    if region.finished:
        (d,) = region.results
    return d


def cases():
    x = np.arange(12.0).reshape(4, 3)
    yield "drift", (x, np.array([1.0, 2.0, 3.0]))
    yield "drift", (x, np.ones((3, 3)))
    yield "drift", (x, np.ones((1, 3, 3))), ValueError
    yield "drift", (x, np.ones(2)), ValueError
