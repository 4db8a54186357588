"""z.real += 1 writes into z.

Hazards: 2.views
"""

import numpy as np
import numpy.typing as npt


def shift(z: npt.NDArray[np.complex64], trips: int):
    for _ in range(trips):
        z[...] = z * (0.5 + 0.5j)
        z.real += 1
    return z


def cases():
    yield "shift", (np.arange(4).astype(np.complex64), 3)
