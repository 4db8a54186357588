"""Conjugate gradients until the residual is small (Shewchuk, An Introduction ..., 1994)."""

import numpy as np

ENTRY = "conjugate_gradient"
SIZES = {"bench": (2500, 1e-10), "small": (30, 1e-10)}


def conjugate_gradient(A, b, tol=1e-8, maxiter=1000):
    x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    iterations = 0
    while np.sqrt(rs) > tol and iterations < maxiter:
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        rs_new = r @ r
        p = r + (rs_new / rs) * p
        rs = rs_new
        iterations += 1
    return x


def setup(n, tol):
    rng = np.random.default_rng(18)
    B = rng.standard_normal((n, n)) / np.sqrt(n)
    return B @ B.T + 0.5 * np.eye(n), rng.random(n), tol
