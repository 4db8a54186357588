"""Right-hand side of the lattice Kuramoto model with slices (Srinivasan, Build You a NumPy)."""

import numpy as np

ENTRY = "dudt"
SIZES = {"bench": (1000,), "small": (16,)}


def dudt(u, omega, K):
    dudt = omega.copy()
    dudx_right = u[:, 1:] - u[:, :-1]
    dudy_down = u[1:, :] - u[:-1, :]
    dudt[:, :-1] += K * np.sin(dudx_right)
    dudt[:, 1:] += K * np.sin(-dudx_right)
    dudt[:-1, :] += K * np.sin(dudy_down)
    dudt[1:, :] += K * np.sin(-dudy_down)
    return dudt


def setup(n):
    rng = np.random.default_rng(60)
    return rng.uniform(0, 2 * np.pi, (n, n)), rng.uniform(0, 2 * np.pi, (n, n)), 2.0
