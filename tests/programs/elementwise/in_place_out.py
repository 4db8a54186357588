"""Element-wise physics written to save memory: `out=` everywhere, work arrays handed in."""

import numpy as np

ENTRY = "pressure"
SIZES = {"bench": (5_000_000,), "small": (50,)}


def pressure(rho, T, a, b, R, work, out):
    # Van der Waals: p = rho R T / (1 - b rho) - a rho^2
    np.multiply(rho, b, out=work)
    np.subtract(1.0, work, out=work)
    np.multiply(rho, T, out=out)
    out *= R
    np.divide(out, work, out=out)
    np.square(rho, out=work)
    work *= a
    np.subtract(out, work, out=out)
    np.clip(out, 0.0, None, out=out)
    return out


def setup(n):
    rng = np.random.default_rng(134)
    return rng.uniform(0, 1, n), rng.uniform(1, 3, n), 1.2, 0.4, 8.314, np.empty(n), np.empty(n)
