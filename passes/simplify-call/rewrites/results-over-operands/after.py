"""Results put over what they are computed from: in the step of a loop, and in statements that run once."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    inputs={"C": "float64"},
    state={"Z": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _orbit_step(C, Z):
    """One iteration of the loop over `_` in `orbit`."""
    Z[...] = np.multiply(Z, Z)
    Z[...] = np.add(Z, C)
    return (Z,)


@npr.step(
    inputs={"Z": "float64", "C": "float64"},
    out={"result": "float64"},
    once=True,
    compile=True,
)
def _orbit_region(Z, C):
    """Lines of `orbit`."""
    D = Z - C
    D[...] = np.multiply(D, Z)
    D[...] = np.add(D, 4.0)
    result = np.sqrt(D)
    return (result,)


@nprewrite.jit
def orbit(n: int, trips: int):
    Z, C = np.linspace(-1, 1, n), np.linspace(-0.5, 0.25, n)
    for _ in _orbit_step.over(range(trips), C=C, Z=Z):
        Z[...] = np.multiply(Z, Z)
        Z[...] = np.add(Z, C)
    for once in (region := _orbit_region.over(range(1), Z=Z, C=C)):
        D = Z - C
        D[...] = np.multiply(D, Z)
        D[...] = np.add(D, 4.0)
        return np.sqrt(D)
    (result,) = region.results
    return result


def cases():
    for trips in (0, 1, 9):
        yield "orbit", (12, trips)
        yield "orbit", (1, trips)
