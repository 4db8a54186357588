"""A number computed from arrays, stored as an element: the store stays, and raises as before.

Hazards: 1.15
"""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def products(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], count: int):
    out = np.zeros(5)
    for k in range(count):
        out[k] = np.prod(np.sqrt(x * x + k * y))
    return out


def cases():
    rng = np.random.default_rng(1)
    for size, count in ((0, 3), (1, 3), (7, 5)):
        yield "products", (rng.random(size), rng.random(size), count)
    yield "products", (rng.random(7), rng.random(7), 6), IndexError
