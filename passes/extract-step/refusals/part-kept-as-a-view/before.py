"""v is a view of the imaginary part: the store through it changes z.

Hazards: 2.views
"""

import numpy as np
import numpy.typing as npt


def shift(z: npt.NDArray[np.complex64], trips: int):
    for _ in range(trips):
        v = z.imag
        v[...] = v * 0.5 + 1
        z[...] = z * 1j
    return z


def cases():
    yield "shift", (np.arange(4).astype(np.complex64), 3)
