"""The mask is computed once; the first store changes what it was computed from, not the mask.

Hazards: 1.12
"""

import numpy as np
import numpy.typing as npt


def split(values: npt.ArrayLike):
    x = np.asarray(values, dtype=np.float32)
    y = np.zeros_like(x)
    m = x > 1
    x[...] = np.where(m, 0.0, x)
    y[...] = np.where(m, 1.0, y)
    m = y < 1
    y[...] = np.where(m, -1.0, y)
    return x, y, m


def cases():
    yield "split", (np.array([0.0, 1.0, 1.5, np.nan, np.inf], dtype=np.float32),)
    yield "split", (np.array([0.0, 1.0, 1.5, np.nan, np.inf]),)
    yield "split", (np.zeros(0, dtype=np.float32),)
    yield "split", (np.full((2, 3), 2, dtype=np.float32),)
