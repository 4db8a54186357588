"""Quotients where the denominator is not zero: the others keep what is there, and nothing warns."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    sizes=("n",),
    inputs={"b": "float64", "a": "float64"},
    out={"result": "float64"},
    ranks={"b": 1, "a": 1},
    once=True,
    compile=True,
)
def _ratio_region(n, b, a):
    """Lines of `ratio`."""
    q = np.zeros(n)
    mask = b != 0
    q[...] = np.where(mask, np.divide(np.where(mask, a, 1), np.where(mask, b, 1)), q)
    result = np.sqrt(q * q + 1)
    return (result,)


@nprewrite.jit
def ratio(n: int):
    a, b = np.linspace(-1, 1, n), np.arange(-3.0, n - 3)
    for once in (region := _ratio_region.over(range(1), n=n, b=b, a=a)):
        q = np.zeros(n)
        mask = b != 0
        q[...] = np.where(mask, np.divide(np.where(mask, a, 1), np.where(mask, b, 1)), q)
        return np.sqrt(q * q + 1)
    (result,) = region.results
    return result


def cases():
    for n in (3, 8):
        yield "ratio", (n,)
