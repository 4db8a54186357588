"""`if x > 0` of an array raises, and goes on to: a select would give an answer.

Hazards: 4.array-if
"""

import numpy as np


def sign(x):
    if x > 0:
        return 1.0
    return -1.0 if x < 0 else 0.0


def cases():
    yield "sign", (np.linspace(-1.0, 1.0, 5),), ValueError
    yield "sign", (np.array([2.0]),)
    yield "sign", (-3,)
