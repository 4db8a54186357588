"""In a loop the array is made once, before the outermost loop."""

import numpy as np


def blend(trips):
    x = np.ones((4000, 3))
    for _ in range(trips):
        for k in range(4):
            x = x * [0.5, 0.25, 0.125] + 1
            x = x - k
    return x


def cases():
    yield "blend", (5,)
    yield "blend", (1,)
    yield "blend", (0,)
    yield "blend", ("3",), TypeError
