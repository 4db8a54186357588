"""The arms give arrays of different shapes: only the one that is taken may be computed.

Hazards: 4.shapes
"""

import numpy as np


def ends(x, both):
    return np.concatenate([x[:1], x[-1:]]) if both else x[0]


def cases():
    yield "ends", (np.linspace(-1.0, 1.0, 5), True)
    yield "ends", (np.linspace(-1.0, 1.0, 5), False)
    yield "ends", (np.zeros(0), False), IndexError
