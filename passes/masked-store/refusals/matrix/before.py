"""np.matrix keeps two dimensions whatever is done to it.

Hazards: 1.17
"""

import numpy as np


def cut(size: int):
    A = np.matrix(np.arange(size) * 1.0)
    A[A > 2] = 0.0
    return A


def cases():
    yield "cut", (6,)
