"""The dominant eigenvalue by power iteration, `while` the change is large."""

import numpy as np

ENTRY = "power_iteration"
SIZES = {"bench": (1200, 1e-12), "small": (25, 1e-9)}


def power_iteration(A, tol):
    v = np.ones(A.shape[0]) / np.sqrt(A.shape[0])
    value = 0.0
    change = np.inf
    while change > tol:
        w = A @ v
        v = w / np.linalg.norm(w)
        new = v @ A @ v
        change = abs(new - value)
        value = new
    return value, v


def setup(n, tol):
    rng = np.random.default_rng(19)
    Q, _ = np.linalg.qr(rng.standard_normal((n, n)))
    values = np.linspace(0.0, 1.0, n)
    values[-1] = 1.3
    return (Q * values) @ Q.T, tol
