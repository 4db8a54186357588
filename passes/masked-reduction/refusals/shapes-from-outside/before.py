"""A mask that does not fit raises.

Hazards: 1.8
"""

import numpy as np
import numpy.typing as npt


def total(values: npt.ArrayLike, mask: npt.ArrayLike):
    x = np.asarray(values, dtype=np.int64)
    m = np.asarray(mask, dtype=np.bool_)
    return x[m].sum()


def cases():
    yield "total", (np.arange(3), np.array([True, False, True]))
    yield "total", (np.arange(3), np.array([True, False])), IndexError
