"""What a file holds is known when it is read."""

import numpy as np


def decay(path: str):
    x = np.load(path)
    for i in range(1, len(x)):
        x[i] = 0.5 * x[i - 1] + x[i]
    return x


def cases():
    return iter(())
