"""+= does not cast float64 back to integers: it raises.

Hazards: 1.4
"""

import numpy as np


def raise_counts(size: int):
    A = np.arange(size)
    A[A > 2] += 0.5
    return A


def cases():
    yield "raise_counts", (6,), TypeError
    yield "raise_counts", (0,), TypeError
