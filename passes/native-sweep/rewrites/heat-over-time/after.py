"""A table of all time steps: each row from the neighbours in the row before, and walls that follow the inside."""

import numpy as np
import nprewrite.runtime as npr


@npr.sweep
def _heat_sweep(steps, u, r):
    """The sweep in `heat`."""
    for t in range(steps - 1):
        u[t + 1, 1:-1] = u[t, 1:-1] + r * (u[t, 2:] - 2.0 * u[t, 1:-1] + u[t, :-2])
        u[t + 1, 0] = u[t + 1, 1]


def heat(steps: int, n: int, r: float):
    u = np.zeros((steps, n))
    u[0] = np.sin(np.arange(n, dtype=np.float64))
    _heat_sweep(steps, u, r)
    return u


def cases():
    for steps, n in ((12, 20), (2, 3), (1, 4), (3, 2)):
        yield "heat", (steps, n, 0.2)
    yield "heat", (3, 1, 0.2), IndexError
    yield "heat", (0, 5, 0.2), IndexError
