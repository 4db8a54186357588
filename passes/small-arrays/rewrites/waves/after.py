"""A wave on some hundred points: each step needs the one before, and takes whole arrays."""

import numpy as np
import nprewrite.runtime as npr


@npr.native
def _wave_loop(steps, u, before, speed, energy):
    """The loop in `wave`."""
    for n in range(steps):
        after = np.zeros(101)
        after[1:-1] = 2 * u[1:-1] - before[1:-1] + speed**2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        before, u = u, after
        energy[n] = np.sum((u - before) ** 2)
    return u


def wave(steps: int, speed: float):
    x = np.linspace(0.0, 1.0, 101)
    u = np.exp(-200 * (x - 0.5) ** 2)
    before = u.copy()
    energy = np.zeros(steps)
    u = _wave_loop(steps, u, before, speed, energy)
    return u, energy


@npr.native
def _settled_loop(change, tolerance, sweeps, rows, p):
    """The loop in `settled`."""
    while change > tolerance and sweeps < rows:
        old = p.copy()
        p[1:-1, 1:-1] = 0.25 * (old[1:-1, 2:] + old[1:-1, :-2] + old[2:, 1:-1] + old[:-2, 1:-1])
        change = np.max(np.abs(p - old))
        sweeps += 1
    return sweeps


def settled(rows: int, tolerance: float):
    p = np.zeros((12, 10))
    p[0, :] = 1.0
    change, sweeps = 1.0, 0
    sweeps = _settled_loop(change, tolerance, sweeps, rows, p)
    return p, sweeps


def cases():
    yield "wave", (50, 0.5)
    yield "wave", (0, 0.5)
    yield "settled", (200, 1e-3)
    yield "settled", (0, 1e-3)
