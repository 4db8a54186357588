"""Calls of ../kuramoto.py to compare, with the reference kernel."""

import numpy as np

from nprewrite.reference import kernel


def cases():
    rng = np.random.default_rng(1)
    for rows, columns in [(100, 100), (31, 17), (1, 5), (1, 1)]:
        u = rng.uniform(0.0, 2.0 * np.pi, (rows, columns))
        omega = rng.uniform(0.0, 2.0 * np.pi, (rows, columns))
        yield "dudt", (u, omega, 2.0)
        yield "dudt", (u.astype("float32"), omega.astype("float32"), 2.0)
    # Few steps: the phases are chaotic.
    yield "kuramoto", (40, 1, 2.0)
    yield "kuramoto", (40, 1, 2.0, 0.1, "float32")


def dudt(u, omega, K):
    return kernel("kuramoto")(u, omega, K)


def kuramoto(N, T, K, dt=0.1, dtype="float64", seed=0):
    rng = np.random.default_rng(seed)
    u = rng.uniform(0, 2 * np.pi, size=(N, N)).astype(dtype)
    omega = rng.uniform(0, 2 * np.pi, size=(N, N)).astype(dtype)
    for _ in range(round(T / dt)):
        u = u + dt * dudt(u, omega, K)
    return u


references = {"dudt": dudt, "kuramoto": kuramoto}
