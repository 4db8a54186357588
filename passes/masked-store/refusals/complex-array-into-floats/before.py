"""A complex array into a real one warns and drops the imaginary part.

Hazards: 2.stores
"""

import numpy as np


def project(size: int):
    A = np.arange(size) * 1.0
    Z = A * 1j + A
    m = A > 2
    A[m] = Z[m]
    return A


def cases():
    yield "project", (6,)
    yield "project", (0,)
