"""and and a conditional expression choose by the counter."""

import numpy as np


def choose(size: int, trips: int):
    x = np.linspace(0, 1, size)
    for n in range(trips):
        x = x * (n and 0.5) + (1 if n % 2 else 2)
    return x


def cases():
    yield "choose", (3, 9)
