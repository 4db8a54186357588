"""Modules that the function imports itself."""

import numpy as np
import numpy.typing as npt


def wander(x: npt.NDArray[np.float64], seed: int):
    import math
    from random import random
    from random import seed as start

    start(seed)
    far = 0.0
    for i in range(1, len(x)):
        angle = 2 * math.pi * random()
        x[i] = x[i - 1] + math.cos(angle)
        far = max(far, abs(x[i]))
    return x, far


def cases():
    yield "wander", (np.zeros(50), 3)
    yield "wander", (np.zeros(0), 3)
