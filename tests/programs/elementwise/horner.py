"""A polynomial by Horner's rule over a list of coefficients, with its derivative."""

import numpy as np

ENTRY = "horner"
SIZES = {"bench": (1_000_000,), "small": (40,)}


def horner(coefficients, x):
    p = np.zeros_like(x)
    dp = np.zeros_like(x)
    for c in coefficients:
        dp = dp * x + p
        p = p * x + c
    return p, dp


def setup(n):
    return [0.5, -1.0, 2.0, 0.25, -3.0, 1.5, 0.125, -0.75], np.linspace(-1, 1, n)
