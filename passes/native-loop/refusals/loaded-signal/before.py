"""What a file holds is known when it is read."""

import numpy as np


def decay(numbers: str):
    x = np.loadtxt(numbers.split())
    for i in range(1, len(x)):
        x[i] = 0.5 * x[i - 1] + x[i]
    return x


def cases():
    yield "decay", ("0.5 2.0 1.5",)
