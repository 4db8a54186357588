"""The rates of a system of equations, one array for each, as one array."""

import numpy as np

import nprewrite


@nprewrite.jit
def rates(n: int):
    u, v = np.linspace(0, 1, n), np.linspace(1, 2, n)
    w = u * v
    return np.array([10.0 * (v - u), u * (28.0 - v), w - 2.5 * u])


def cases():
    for n in (1, 8):
        yield "rates", (n,)
