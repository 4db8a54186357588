"""Quotients where the denominator is not zero: the others keep what is there, and nothing warns."""

import numpy as np

import nprewrite


@nprewrite.jit
def ratio(n: int):
    a, b = np.linspace(-1, 1, n), np.arange(-3.0, n - 3)
    q = np.zeros(n)
    np.divide(a, b, out=q, where=b != 0)
    return np.sqrt(q * q + 1)


def cases():
    for n in (3, 8):
        yield "ratio", (n,)
