"""A function that asks for all of its names gets those of the loop too."""

import numpy as np
import numpy.typing as npt


def decay(x: npt.NDArray[np.float64]):
    for i in range(1, len(x)):
        x[i] += 0.5 * x[i - 1]
    return sorted(locals())


def cases():
    yield "decay", (np.linspace(0, 1, 5),)
