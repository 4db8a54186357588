"""Functions that look at what they get, and raise."""

import numpy as np
import numpy.typing as npt

import nprewrite


def sound(pressure, density):
    assert pressure.ndim == 1, "one axis"
    if pressure.shape != density.shape:
        raise ValueError(f"{len(pressure)} pressures, {len(density)} densities")
    return np.sqrt(1.4 * pressure / density)


def limited(a, b, kind):
    if kind == "minmod":
        return np.where(np.abs(a) < np.abs(b), a, b)
    elif kind == "none":
        return 1.0 * a
    else:
        raise ValueError("unknown limiter " + kind)


@nprewrite.jit
def advance(p: npt.NDArray[np.float64], rho: npt.NDArray[np.float64], kind: str):
    c = sound(p, rho)
    slopes = limited(p[1:-1] - p[:-2], p[2:] - p[1:-1], kind)
    return p[1:-1] + 0.1 * c[1:-1] * slopes - 0.05 * c[2:]


def cases():
    yield "advance", (np.linspace(1, 2, 20) ** 2, np.ones(20), "minmod")
    yield "advance", (np.linspace(1, 2, 20) ** 2, np.ones(20), "none")
    yield "advance", (np.linspace(1, 2, 20) ** 2, np.ones(20), "other"), ValueError
    yield "advance", (np.linspace(1, 2, 20) ** 2, np.ones(1), "none"), ValueError
    yield "advance", (np.ones((5, 5)), np.ones((5, 5)), "none"), AssertionError
