"""Results put over what they are computed from: in the step of a loop, and in statements that run once."""

import numpy as np

import nprewrite


@nprewrite.jit
def orbit(n: int, trips: int):
    Z, C = np.linspace(-1, 1, n), np.linspace(-0.5, 0.25, n)
    for _ in range(trips):
        np.multiply(Z, Z, Z)
        np.add(Z, C, out=Z)
    D = Z - C
    np.multiply(D, Z, D)
    np.add(D, 4.0, D)
    return np.sqrt(D)


def cases():
    for trips in (0, 1, 9):
        yield "orbit", (12, trips)
        yield "orbit", (1, trips)
