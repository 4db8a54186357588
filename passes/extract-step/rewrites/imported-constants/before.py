"""Numbers that are imported from `math` and `numpy` by name are known, as `math.pi` is."""

from math import pi
from numpy import e as base

import numpy as np


def ring(n: int, trips: int):
    angle = np.linspace(0.0, 2 * pi, n)
    height = np.zeros(n)
    for _ in range(trips):
        height = 0.5 * height + np.sin(angle * pi) / base
    return height


def cases():
    for n, trips in ((50, 7), (1, 3), (50, 0), (0, 4)):
        yield "ring", (n, trips)
