"""Rows of a state that each need the row before, among inputs and outputs that do not."""

import numpy as np
import nprewrite.runtime as npr


@npr.sweep
def _simulate_sweep(n, u, force):
    """The sweep in `simulate`."""
    for i in range(1, n):
        u[i] = 0.5 * u[i - 1] + force[i]  # the only row that needs the one before


def simulate(n: int, m: int):
    x = np.linspace(0.0, 1.0, m)
    force = np.zeros((n, m))
    u = np.ones((n, m))
    energy = np.zeros(n)
    peak = np.zeros(n)
    if npr.quiet() and n >= 1:
        with np.errstate(all="ignore"):
            t = 0.1 * np.arange(1, n)
            force[1:, :] = np.sin(x * t[:, None])
            _simulate_sweep(n, u, force)
            total = np.sum(u[1:, :] * u[1:, :], axis=1)
            energy[1:] = total
            peak[1:] = 2.0 * energy[1:] - t
    else:
        for i in range(1, n):
            t = 0.1 * i
            force[i] = np.sin(x * t)
            u[i] = 0.5 * u[i - 1] + force[i]  # the only row that needs the one before
            energy[i] = (u[i] * u[i]).sum()
            peak[i] = 2.0 * energy[i] - t
    return force, u, energy, peak


def cases():
    for n, m in ((30, 4), (2, 3), (1, 2), (0, 3), (3, 0)):
        yield "simulate", (n, m)
