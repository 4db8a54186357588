"""z.view(np.float32) sees the parts side by side in one array.

Hazards: 2.views
"""

import numpy as np
import numpy.typing as npt


def shift(z: npt.NDArray[np.complex64], trips: int):
    for _ in range(trips):
        z.view(np.float32)[...] += 1
        z[...] = z * (0.5 + 0.5j)
    return z


def cases():
    yield "shift", (np.arange(4).astype(np.complex64), 3)
