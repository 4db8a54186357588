"""NumPy's own sine has other last bits on a contiguous copy, which is what a step computes on."""

import numpy as np
import numpy.typing as npt


def swing(x: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        x = np.sin(x) + 0.5
    return x


def cases():
    yield "swing", (np.linspace(-1, 1, 5), 9)
