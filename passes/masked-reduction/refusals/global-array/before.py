"""Other code may bind the global to something else.

Hazards: 1.2
"""

import numpy as np

WEIGHTS = np.arange(5)


def total(limit: int):
    return WEIGHTS[WEIGHTS > limit].sum()


def cases():
    yield "total", (2,)
