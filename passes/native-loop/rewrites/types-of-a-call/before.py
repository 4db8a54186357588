"""Without annotations the decorator waits for the types of a call."""

import numpy as np


def smooth(x, weight):
    for i in range(1, len(x)):
        x[i] = weight * x[i - 1] + (1 - weight) * x[i]
    return x


def cases():
    yield "smooth", (np.linspace(0, 1, 5) ** 2, 0.25)
    yield "smooth", ([0.0, 1.0, 4.0], 0.5)
