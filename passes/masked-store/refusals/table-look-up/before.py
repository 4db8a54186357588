"""Lanes that are not selected may hold an index outside of the table, and an empty table has no neutral one.

Hazards: 1.look-up
"""

import numpy as np


def translate(size: int, entries: int):
    table = np.arange(entries) * 10.0
    k = np.arange(size) - 2
    A = np.zeros(size)
    m = (k >= 0) & (k < entries)
    A[m] = table[k[m]]
    return A


def cases():
    yield "translate", (9, 4)
    yield "translate", (9, 0)
    yield "translate", (0, 4)
