"""Complex arrays are not held as pairs: no product of pairs is the same bits everywhere, and no sum is tried.

Hazards: 2.fused
"""

import numpy as np
import numpy.typing as npt


def square(z: npt.NDArray[np.complex128], trips: int):
    for _ in range(trips):
        z = z + 0.5j
    return z


def cases():
    yield "square", (np.linspace(0, 1, 5) + 0.1j, 3)
