"""Stores into a np.ma array also change its mask.

Hazards: 1.17
"""

import numpy as np


def unmask(size: int):
    A = np.ma.masked_greater(np.arange(size) * 1.0, 3)
    A[A > 2] = 0.0
    return A


def cases():
    yield "unmask", (6,)
    yield "unmask", (0,)
