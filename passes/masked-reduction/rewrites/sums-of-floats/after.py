"""The lanes that were not selected add 0, whatever they hold: inf * 0 would be nan.

Hazards: 1.read-sum
"""

import numpy as np
import numpy.typing as npt


def totals(values: npt.ArrayLike):
    x = np.asarray(values, dtype=np.float64)
    m = np.isfinite(x)
    return np.where(m, x, 0).sum(), np.where(~m, x, 0).sum()


def single(values: npt.ArrayLike):
    x = np.asarray(values, dtype=np.float32)
    m = x > 0
    return np.where(m, x, 0).sum()


def cases():
    row = np.array([0.0, -0.0, 1.5, -2.0, np.nan, np.inf, 1e100])
    yield "totals", (row,)
    yield "totals", (row[::-2],)
    yield "totals", (np.linspace(0, 1, 1000).reshape(20, 50).T,)
    yield "totals", (np.array([np.inf, np.nan]),)
    yield "totals", (np.array([np.inf, -np.inf]),)
    yield "totals", (np.zeros(0),)
    yield "totals", (3.0,)
    yield "single", (row,)
    yield "single", (np.linspace(-1, 1, 1000),)
    yield "single", (-np.ones(3),)
