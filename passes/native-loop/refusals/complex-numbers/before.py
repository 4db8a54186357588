"""Python's complex arithmetic is not NumPy's."""

import numpy as np
import numpy.typing as npt


def spiral(x: npt.NDArray[np.float64]):
    for i in range(1, len(x)):
        x[i] = abs(x[i - 1] + 0.5j)
    return x


def cases():
    yield "spiral", (np.linspace(0, 1, 5),)
