"""Integer positions may repeat.

Hazards: 1.9
"""

import numpy as np
import numpy.typing as npt


def draw(size: int, chosen: npt.NDArray[np.int64]):
    x = np.arange(size)
    return x[chosen].sum()


def cases():
    yield "draw", (5, np.array([1, 1, 4]))
    yield "draw", (5, np.array([7])), IndexError
