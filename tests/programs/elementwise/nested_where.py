"""A piecewise function as nested `np.where`: the drag coefficient of a sphere over Reynolds' number."""

import numpy as np

ENTRY = "drag"
SIZES = {"bench": (800_000,), "small": (60,)}


def drag(Re):
    Re = np.maximum(Re, 1e-9)
    return np.where(
        Re < 0.1,
        24.0 / Re,
        np.where(
            Re < 1000.0,
            24.0 / Re * (1.0 + 0.15 * Re**0.687),
            np.where(Re < 2e5, 0.44, 0.1 + 0.02 * np.log10(Re)),
        ),
    )


def setup(n):
    return (10.0 ** np.random.default_rng(132).uniform(-3, 6, n),)
