"""The state needs the output of the iteration before: near to a state with outputs, and one sequence."""

import numpy as np


def simulate(n: int, m: int):
    x = np.linspace(0.0, 1.0, m)
    u = np.ones((n, m))
    out = np.zeros((n, m))
    for i in range(1, n):
        u[i, :] = np.abs(x) * u[i - 1, :].sum() + out[i - 1, :]
        out[i, :] = np.sin(u[i, :])
    return u, out


def cases():
    yield "simulate", (30, 4)
