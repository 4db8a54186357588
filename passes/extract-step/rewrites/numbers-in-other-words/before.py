"""A number that Python computes is a parameter of the step, whatever functions it is made with."""

import numpy as np


def relaxed(size, rate: float, trips):
    x = np.linspace(-1.0, 1.0, size)
    y = np.cos(x)
    for n in range(trips):
        x = np.where(x < y, np.sign(rate) * 0.5, y) * (np.rint(rate) % 0.7) + np.power(rate * n, 0.5)
    return x


def cases():
    for rate in (0.5, 0.0, 2.7, np.nan):
        yield "relaxed", (7, rate, 5)
        yield "relaxed", (7, np.float32(rate), 3)
