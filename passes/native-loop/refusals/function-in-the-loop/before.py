"""A function made in each trip."""

import numpy as np
import numpy.typing as npt


def decay(x: npt.NDArray[np.float64]):
    for i in range(1, len(x)):
        def half(value):
            return 0.5 * value

        x[i] += half(x[i - 1])
    return x


def cases():
    yield "decay", (np.linspace(0, 1, 5),)
