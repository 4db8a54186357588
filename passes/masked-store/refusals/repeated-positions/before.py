"""A[idx] += 1 adds once where an index repeats; it is neither a mask nor np.add.at.

Hazards: 1.repeats
"""

import numpy as np
import numpy.typing as npt


def histogram(bins: npt.NDArray[np.int64], size: int):
    A = np.zeros(size, dtype=np.int64)
    A[bins] += 1
    return A


def cases():
    yield "histogram", (np.array([0, 1, 1, 1, 3]), 5)
    yield "histogram", (np.zeros(0, dtype=np.int64), 5)
