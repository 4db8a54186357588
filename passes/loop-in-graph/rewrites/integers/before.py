"""Small integers wrap around; a mask of booleans goes from one iteration to the next."""

import numpy as np


def counted(n: int, steps: int):
    cells = np.arange(n, dtype=np.uint8)
    odd = np.zeros(n, dtype=bool)
    for _ in range(steps):
        cells[1:] += cells[:-1]
        odd[1:-1] = odd[:-2] ^ (cells[2:] > 100)
    return cells, odd


def cases():
    for steps in (1, 2, 300):
        yield "counted", (50, steps)
