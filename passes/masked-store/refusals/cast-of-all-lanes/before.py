"""Casting every lane to integers casts nan too, which np.errstate can turn into an error.

Hazards: 1.neutral
"""

import numpy as np
import numpy.typing as npt


def levels(values: npt.ArrayLike):
    x = np.asarray(values, dtype=np.float64)
    k = np.zeros_like(x, dtype=np.int64)
    m = np.abs(x) < 100
    k[m] = x[m]
    return k


def strictly(values: npt.ArrayLike):
    with np.errstate(all="raise"):
        return levels(values)


def cases():
    yield "levels", (np.array([1.5, np.nan, np.inf, -2.5]),)
    yield "strictly", (np.array([1.5, np.nan, np.inf, -2.5]),)
