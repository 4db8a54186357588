"""A mask of fewer dimensions selects along the first axes, also where a where would broadcast it along the last.

Hazards: 1.7
"""

import numpy as np


def blank_rows(rows: int, columns: int):
    A = np.ones((rows, columns))
    even = np.arange(rows) % 2 == 0
    A[...] = np.where(even[..., None], 0.0, A)
    T = np.ones((rows, columns, 3), dtype=np.float32)
    T[...] = np.where((A == 0.0)[..., None], -1.0, T)
    return A, T


def cases():
    for rows in (0, 1, 2, 5):
        for columns in (0, 1, 2, 5):
            yield "blank_rows", (rows, columns)
