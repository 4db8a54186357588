"""In a loop that stays as it is, the selection stays too."""

import numpy as np


def history(size: int, trips: int):
    x = np.arange(size)
    seen = []
    for n in range(trips):
        seen.append(x[x > 1].sum())
        x = x - n
    return seen


def cases():
    yield "history", (9, 4)
