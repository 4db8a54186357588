"""Integrals by the trapezoidal and Simpson's rule of a function that is an argument, refined each time."""

import numpy as np

ENTRY = "integrate"
SIZES = {"bench": (7, 2_000_000), "small": (4, 65)}


def integrand(x):
    return np.exp(-x * x) * np.cos(3 * x)


def trapezoid(y, x):
    return np.sum((x[1:] - x[:-1]) * (y[1:] + y[:-1]) / 2.0)


def integrate(f, a, b, levels, n):
    results = []
    for level in range(levels):
        x = np.linspace(a, b, n // 2**level)
        y = f(x)
        results.append((len(x), trapezoid(y, x)))
    return results


def setup(levels, n):
    return integrand, 0.0, 5.0, levels, n
