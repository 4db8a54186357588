"""The name np is something else on one path."""

import numpy as np

try:
    import absent_accelerator as np
except ImportError:
    pass


def decay(size: int):
    x = np.ones(size)
    for i in range(1, len(x)):
        x[i] += 0.5 * x[i - 1]
    return x


def cases():
    yield "decay", (5,)
