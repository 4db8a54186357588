"""Bifurcation diagram of the logistic map with its Lyapunov exponents (IPython Cookbook, 12.1)."""

import numpy as np

ENTRY = "bifurcation"
SIZES = {"bench": (20_000, 600, 60), "small": (50, 30, 10)}


def logistic(r, x):
    return r * x * (1 - x)


def bifurcation(r, iterations, last):
    x = 1e-5 * np.ones(r.size)
    lyapunov = np.zeros(r.size)
    kept = np.empty((last, r.size))
    for i in range(iterations):
        x = logistic(r, x)
        lyapunov += np.log(np.abs(r - 2 * r * x))
        if i >= iterations - last:
            kept[i - iterations + last] = x
    return lyapunov / iterations, kept


def setup(n, iterations, last):
    return np.linspace(2.5, 4.0, n), iterations, last
