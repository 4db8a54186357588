"""Constants of the module, of the function and of the call: read once, as the loop reads them unchanged."""

import numpy as np
import numpy.typing as npt

RATE = 0.25
SHIFT = 3


def blend(x: npt.NDArray[np.float32], weight: float, trips: int):
    half = 0.5
    for _ in range(trips):
        x = x * half + RATE * weight + SHIFT - np.pi * 0.1
    return x


def cases():
    row = np.linspace(-1, 1, 7, dtype=np.float32)
    for trips in (9, 8, 1, 0):
        yield "blend", (row, 0.3, trips)
    yield "blend", (row, 3, 9)
    yield "blend", (row, np.float32(0.3), 9)
    yield "blend", (row, np.float64(0.3), 9)
    yield "blend", (row, True, 9)
    yield "blend", (row, np.nan, 9)
    yield "blend", (row, 1e300, 9)
    yield "blend", (row, np.arange(7.0), 9)
    yield "blend", (row, 1j, 9)
    yield "blend", (row, None, 9), TypeError
    yield "blend", (row, None, 0)
