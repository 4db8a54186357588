"""Zeros between the selected lanes move the pairs of the sum: bits may differ.

Hazards: 3.sum-order
"""

import numpy as np
import numpy.typing as npt


def total(values: npt.ArrayLike):
    x = np.asarray(values, dtype=np.float64)
    m = x > 0
    return x[m].sum()


def cases():
    yield "total", (np.linspace(-1, 1, 1000),)
