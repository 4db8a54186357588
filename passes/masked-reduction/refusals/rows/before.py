"""A mask of fewer dimensions selects whole rows, and its reductions count their lanes.

Hazards: 1.7
"""

import numpy as np


def describe(rows: int, columns: int, limit: int):
    A = np.arange(rows * columns).reshape(rows, columns) * 1.0
    m = np.arange(rows) >= limit
    return A[m].sum(), A[m].mean(), A[~m].size, len(A[~m]), (A[m | ~m] > 3).any()


def cases():
    for shape in ((3, 4), (3, 3), (1, 5), (5, 1), (0, 3), (3, 0)):
        for limit in (0, 1, 9):
            yield "describe", (*shape, limit)
