"""An `np.int64` passes for an `int`: subtracting it in place from bytes raises, which a store of a select does not.

Hazards: 1.4
"""

import numpy as np


def lowered(size: int, level: int):
    last = np.full(size, 7, dtype=np.uint8)
    high = last > 3
    last[high] -= abs(level ^ 1)
    return last


def cases():
    yield "lowered", (4, 2)
    yield "lowered", (4, np.int64(2)), TypeError
