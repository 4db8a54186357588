"""Scalars that change at each trip are boxed in the dtype that weak promotion gives: float32 arrays stay float32.

Hazards: 3.box-dtype, 3.counter
"""

import numpy as np
import numpy.typing as npt


def drive(x: npt.NDArray[np.float32], dt: float, trips: int):
    age = np.zeros(x.shape, dtype=np.int64)
    for n in range(trips):
        x = x + dt * n - x * (1 / (n + 1))
        age = age + n
    return x, age


def small(k: npt.NDArray[np.int8], trips: int):
    for n in range(trips):
        k = k + n
    return k


def cases():
    row = np.linspace(-1, 1, 7, dtype=np.float32)
    for trips in (203, 16, 9, 8, 1, 0):
        yield "drive", (row, 0.1, trips)
    yield "drive", (row, 1, 9)
    yield "drive", (row, np.float64(0.1), 9)
    yield "small", (np.arange(5, dtype=np.int8), 20)
    yield "small", (np.arange(5, dtype=np.int8), 128)
    yield "small", (np.arange(5, dtype=np.int8), 129), OverflowError
