"""Directions as a list of pairs, weights as a list, and rows that are added to in place."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def relaxed(u: npt.NDArray[np.float64], omega: float, trips: int):
    e = [(0, 0), (1, 0), (-1, 0)]
    w = [0.5, 0.25, 0.25]
    opposite = (0, 2, 1)
    f = np.stack([u, 0.5 * u, 0.25 * u])
    for _ in range(trips):
        rho = f.sum(axis=0)
        for k in range(len(e)):
            f[k] += omega * (w[k] * rho * (1 + 3 * e[k][0] * u) - f[k])
        for k, (right, down) in enumerate(e):
            f[k] = np.roll(f[k], (right, -down), axis=(1, 0))
        for k in opposite[1:]:
            f[k] *= 0.5
    return f


@nprewrite.jit
def exchanged(u: npt.NDArray[np.float64], trips: int):
    opposite = (0, 2, 1)
    f = np.stack([u, 0.5 * u, 0.25 * u])
    for _ in range(trips):
        g = f * 0.5
        for k, other in enumerate(opposite):
            f[k] = f[other] + g[k]
    return f


def cases():
    u = np.linspace(0, 1, 12).reshape(3, 4)
    for trips in (0, 1, 3):
        yield "relaxed", (u, 0.7, trips)
        yield "exchanged", (u, trips)
    yield "exchanged", (u.T, 2)
