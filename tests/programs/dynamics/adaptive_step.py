"""Euler and Heun with an adaptive step: `while t < T`, the step's size decided by the error each time."""

import numpy as np

ENTRY = "adaptive"
SIZES = {"bench": (100_000, 3.0), "small": (20, 0.5)}


def decay(y, rate):
    return -rate * y + np.sin(y)


def adaptive(y, rate, T, tol=1e-4):
    t, h = 0.0, 0.01
    accepted = rejected = 0
    while t < T:
        h = min(h, T - t)
        k1 = decay(y, rate)
        k2 = decay(y + h * k1, rate)
        error = np.abs(h / 2 * (k2 - k1)).max()
        if error <= tol:
            t += h
            y = y + h / 2 * (k1 + k2)
            accepted += 1
        else:
            rejected += 1
        h *= min(2.0, max(0.3, 0.9 * np.sqrt(tol / error)))
    return y, {"accepted": accepted, "rejected": rejected}


def setup(n, T):
    rng = np.random.default_rng(67)
    return rng.uniform(0, 2, n), rng.uniform(0.5, 3, n), T
