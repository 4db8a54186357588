"""Quotients where the denominator is not zero: the others keep what is there, and nothing warns."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"b": "float64", "a": "float64"},
    state={"q": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _ratio_region(b, a, q):
    """Lines of `ratio`."""
    mask = b != 0
    q[...] = np.where(mask, np.divide(np.where(mask, a, 1), np.where(mask, b, 1)), q)
    result = np.sqrt(q * q + 1)
    return q, result


@nprewrite.jit
def ratio(n: int):
    a, b = np.linspace(-1, 1, n), np.arange(-3.0, n - 3)
    q = np.zeros(n)
    for once in (region := _ratio_region.over(range(1), b=b, a=a, q=q)):
        mask = b != 0
        q[...] = np.where(mask, np.divide(np.where(mask, a, 1), np.where(mask, b, 1)), q)
        return np.sqrt(q * q + 1)
    (result,) = region.results
    return result


def cases():
    for n in (3, 8):
        yield "ratio", (n,)
