"""Integers that are stored into narrower ones: a guard looks at Python's numbers, and arrays wrap around.

Hazards: 5.number
"""

import numpy as np
import numpy.typing as npt


def mixed(a: npt.NDArray[np.int8], v: npt.NDArray[np.int64], step: int, trips: int):
    for n in range(trips):
        a[1:-1] = n * step
        a[2:] += v[1]
        a[:1] = v[1:2] + a[2]
        a[-1:] = a[1] // 2
    return a


def cases():
    v = np.array([1, 200, 300, -129])
    yield "mixed", (np.arange(5, dtype=np.int8), v, 20, 4)
    yield "mixed", (np.arange(5, dtype=np.int8), v, 40, 4)
    yield "mixed", (np.arange(5, dtype=np.int8), v, 50, 4), OverflowError
    yield "mixed", (np.arange(5, dtype=np.int8), v, 1, 0)
