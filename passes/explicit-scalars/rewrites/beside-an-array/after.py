"""A list of integers beside float32 gives float64, as an array of int64 does; a number beside it stays weak.

Hazards: 6.list-widens
"""

import numpy as np


def weigh(n):
    u = np.ones((n, 3), dtype=np.float32)
    v = u * np.array([1, 2, 3]) + np.array((0.5, -1, True))
    u *= np.array([0.1, 1.5, 2.5])  # in place: stays float32
    inside = np.array([0, 1, 2]) < v
    return v * 2, u, inside, np.maximum(u, np.array([[1.0, 2.0, 3.0]])), 2 ** (u - 1)


def cases():
    yield "weigh", (4,)
    yield "weigh", (1,)
    yield "weigh", (0,)
