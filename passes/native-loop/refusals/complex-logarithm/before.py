"""A function of complex numbers that a compiled loop would round too roughly."""

import numpy as np
import numpy.typing as npt


def spiral(z: npt.NDArray[np.complex128]):
    for i in range(1, len(z)):
        z[i] = np.log(z[i - 1] + 0.5j)
    return z


def cases():
    yield "spiral", (np.linspace(0, 1, 5) + 1j,)
