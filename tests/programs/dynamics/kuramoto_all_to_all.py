"""Kuramoto oscillators that all pull at each other, and the order parameter over time."""

import numpy as np

ENTRY = "synchronise"
SIZES = {"bench": (500, 30), "small": (11, 6)}


def synchronise(theta, omega, K, dt, steps):
    N = len(theta)
    order = []
    for _ in range(steps):
        order.append(float(np.abs(np.mean(np.exp(1j * theta)))))
        coupling = np.sin(theta[None, :] - theta[:, None]).sum(axis=1)
        theta = theta + dt * (omega + K / N * coupling)
    return theta % (2 * np.pi), order


def setup(n, steps):
    rng = np.random.default_rng(63)
    return rng.uniform(0, 2 * np.pi, n), rng.standard_normal(n), 3.0, 0.05, steps
