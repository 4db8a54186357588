"""The array belongs to the enclosing function, which may rebind it between calls.

Hazards: 1.2
"""

import numpy as np


def outer(size: int):
    A = np.arange(size) * 1.0

    def cap(limit: float):
        A[A > limit] = 1.0

    cap(2.0)
    first = A
    A = np.ones(size, dtype=np.int64) * 5
    cap(3.0)
    return first, A


def cases():
    yield "outer", (4,)
    yield "outer", (0,)
