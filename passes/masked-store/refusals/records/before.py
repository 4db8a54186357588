"""A structured array holds several values a lane.

Hazards: 1.17
"""

import numpy as np


def reset(size: int):
    points = np.ones(size, dtype=[("x", "f8"), ("y", "i4")])
    far = np.arange(size) > 1
    points[far] = 0
    return points


def cases():
    yield "reset", (4,)
