"""Every lane reads the sum of all lanes; a compiled sum with several accumulators would have other bits.

Hazards: 3.sum-order
"""

import numpy as np
import numpy.typing as npt


def normalise(x: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        x = x / x.sum() + 0.5
    return x


def cases():
    yield "normalise", (np.arange(1, 8.0), 9)
