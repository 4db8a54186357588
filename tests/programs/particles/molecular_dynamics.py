"""Lennard-Jones particles in a periodic box, velocity Verlet (Frenkel and Smit, chapter 4)."""

import numpy as np

ENTRY = "simulate"
SIZES = {"bench": (7, 25), "small": (2, 6)}


def forces(x, box):
    d = x[:, None, :] - x[None, :, :]
    d -= box * np.round(d / box)
    r2 = np.sum(d * d, axis=-1)
    np.fill_diagonal(r2, np.inf)
    inv2 = 1.0 / r2
    inv6 = inv2**3
    f = 24.0 * inv2 * inv6 * (2.0 * inv6 - 1.0)
    return np.sum(f[:, :, None] * d, axis=1), 2.0 * np.sum(inv6 * (inv6 - 1.0))


def simulate(x, v, box, dt, steps):
    potential = np.zeros(steps)
    f, _ = forces(x, box)
    for i in range(steps):
        v += 0.5 * dt * f
        x += dt * v
        x %= box
        f, potential[i] = forces(x, box)
        v += 0.5 * dt * f
    return x, v, potential


def setup(side, steps):
    rng = np.random.default_rng(52)
    grid = 1.2 * np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    return grid, 0.3 * rng.standard_normal(grid.shape), 1.2 * side, 0.002, steps
