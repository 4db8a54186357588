"""The rates of a system of equations, one array for each, as one array."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"u": "float64", "v": "float64"},
    out={"result": "float64"},
    ranks={"u": 1, "v": 1},
    once=True,
    compile=True,
)
def _rates_region(u, v):
    """Lines of `rates`."""
    w = u * v
    result = np.stack([10.0 * (v - u), u * (28.0 - v), w - 2.5 * u])
    return (result,)


@nprewrite.jit
def rates(n: int):
    u, v = np.linspace(0, 1, n), np.linspace(1, 2, n)
    for once in (region := _rates_region.over(range(1), u=u, v=v)):
        w = u * v
        return np.stack([10.0 * (v - u), u * (28.0 - v), w - 2.5 * u])
    (result,) = region.results
    return result


def cases():
    for n in (1, 8):
        yield "rates", (n,)
