"""A number computed from arrays, stored as an element: the store stays, and raises as before.

Hazards: 1.15
"""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"k": "float64"},
    inputs={"x": "float64", "y": "float64"},
    out={"prod_value": "float64"},
    once=True,
    compile=True,
)
def _products_region(k, x, y):
    """Lines of `products`."""
    prod_value = np.prod(np.sqrt(x * x + k * y))
    return (prod_value,)


@nprewrite.jit
def products(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], count: int):
    out = np.zeros(5)
    for k in range(count):
        for once in (region := _products_region.over(range(1), k=k, x=x, y=y)):
            prod_value = np.prod(np.sqrt(x * x + k * y))
        if region.finished:
            (prod_value,) = region.results
        del region
        out[k] = prod_value
        del prod_value
    return out


def cases():
    rng = np.random.default_rng(1)
    for size, count in ((0, 3), (1, 3), (7, 5)):
        yield "products", (rng.random(size), rng.random(size), count)
    yield "products", (rng.random(7), rng.random(7), 6), IndexError
