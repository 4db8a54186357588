"""assert and raise end the loop after part of the state was stored.

Hazards: 3.exception
"""

import numpy as np
import numpy.typing as npt


def checked(x: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        x *= 2
        assert (x < 100).all()
    return x


def cases():
    yield "checked", (np.ones(3), 3)
