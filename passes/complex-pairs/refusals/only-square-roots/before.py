"""Every operation needs the complex array.

Hazards: 2.functions
"""

import numpy as np
import numpy.typing as npt


def roots(z: npt.NDArray[np.complex128], trips: int):
    for _ in range(trips):
        z = np.sqrt(np.log(z))
    return z


def cases():
    yield "roots", (np.linspace(2, 3, 5) + 1j, 3)
