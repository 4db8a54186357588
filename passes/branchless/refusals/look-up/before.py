"""A dictionary is looked up where the branch is taken: in all lanes it would raise KeyError.

Hazards: 4.look-up
"""

import numpy as np

WEIGHTS = {1: 0.5, 2: 0.25}


def weight(k):
    return WEIGHTS[k] if k > 0 else 0.0


def weigh(k):
    return np.vectorize(weight)(k)


def cases():
    yield "weigh", (np.array([0, 1, 2] * 30),)
    yield "weigh", (np.arange(90),), KeyError
