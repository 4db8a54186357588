"""The array is the caller's, and a view of it was taken before: both see the store.

Hazards: 1.1, 1.17
"""

import numpy as np
import numpy.typing as npt


def clip_negative(values: npt.ArrayLike):
    x = np.asarray(values, dtype=np.float64)
    window = x[...]
    x[...] = np.where(x < 0, 0.0, x)
    return x, window


def cases():
    row = np.array([0.0, -0.0, 1.5, -2.0, np.nan, np.inf, -np.inf])
    yield "clip_negative", (row.copy(),)
    yield "clip_negative", (row.copy()[::2],)
    yield "clip_negative", (row.copy()[::-1],)
    yield "clip_negative", (np.asfortranarray(np.outer(row[:4], row[2:4])),)
    yield "clip_negative", (np.array(-3.0),)
    yield "clip_negative", (np.zeros((0, 3)),)
    yield "clip_negative", (np.ones(4),)
    yield "clip_negative", (-np.ones(4),)
    yield "clip_negative", ([1, -2, 3],)
    yield "clip_negative", (np.array([1, -2, 3]),)
    yield "clip_negative", (np.ma.masked_array(row.copy(), mask=[0, 1, 0, 1, 0, 1, 0]),)
    yield "clip_negative", (np.matrix([[1.0, -2.0], [-3.0, 4.0]]),)
    locked = row.copy()
    locked.flags.writeable = False
    yield "clip_negative", (locked,), ValueError
