"""Points that are followed until they have left a circle, with Python's complex arithmetic."""

import numpy as np
import numpy.typing as npt


def escape(times: npt.NDArray[np.int64], c: complex, most: int):
    height, width = times.shape
    for i in range(height):
        for j in range(width):
            z = complex(3 * j / width - 1.5, 2 * i / height - 1)
            count = 0
            while abs(z) <= 2 and count < most:
                z = z**2 + c
                count += 1
            times[i, j] = count
    return times


def cases():
    yield "escape", (np.zeros((6, 8), np.int64), -0.7 + 0.27j, 40)
    yield "escape", (np.zeros((6, 0), np.int64), 0.25j, 40)
