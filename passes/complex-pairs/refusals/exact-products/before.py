"""NumPy's own complex product may be fused: the pair's product is not the same bits everywhere.

Hazards: 2.fused
"""

import numpy as np
import numpy.typing as npt


def square(z: npt.NDArray[np.complex128], trips: int):
    for _ in range(trips):
        z = z * z
    return z


def cases():
    yield "square", (np.linspace(0, 1, 5) + 0.1j, 3)
