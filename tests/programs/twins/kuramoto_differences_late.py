"""The Kuramoto model accumulated into its phases: each difference sees the stores before it."""

import numpy as np

TWIN_OF = "kuramoto_lattice"
ENTRY = "drift"
SIZES = {"small": (12,)}


def drift(u, omega, K):
    out = u
    out[:, :-1] += K * np.sin(u[:, 1:] - u[:, :-1])
    out[:, 1:] += K * np.sin(u[:, :-1] - u[:, 1:])
    out[:-1, :] += K * np.sin(u[1:, :] - u[:-1, :])
    out[1:, :] += K * np.sin(u[:-1, :] - u[1:, :]) + omega[1:, :]
    return out


def setup(n):
    rng = np.random.default_rng(60)
    return rng.uniform(0, 2 * np.pi, (n, n)), rng.uniform(0, 2 * np.pi, (n, n)), 0.2
