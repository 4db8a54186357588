"""`and` asks for the truth of the whole selection."""

import numpy as np


def mark(size: int):
    k = np.arange(size, dtype=np.int64)
    m = k == 2
    k[m] = k[m] and 7
    return k


def cases():
    yield "mark", (4,)
