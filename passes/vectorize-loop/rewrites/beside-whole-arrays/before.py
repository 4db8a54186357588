"""A nest of scalar loops in a loop whose other statements are over whole arrays, which change places.
"""

import numpy as np
import numpy.typing as npt


def waves(p: npt.NDArray[np.float64], c: float, trips: int):
    before = p.copy()
    d2 = np.zeros_like(p)
    for _ in range(trips):
        for i in range(1, len(p) - 1):
            d2[i] = p[i + 1] - 2 * p[i] + p[i - 1]
        after = 2 * p - before + c * d2
        before, p = p, after
    return p


def cases():
    for size in (0, 1, 2, 3, 12):
        for trips in (0, 1, 3):
            yield "waves", (np.linspace(0, 1, size) ** 2, 0.1, trips)
    yield "waves", (np.zeros((3, 2)), 0.1, 2)
    yield "waves", (np.arange(5), 0.1, 2)
