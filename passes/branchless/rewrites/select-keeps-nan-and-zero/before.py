"""A branch that puts 0 for negative numbers keeps nan and -0.0, which a maximum would not.

Hazards: 4.not-maximum
"""

import numpy as np


@np.vectorize
def rectified(x):
    if x < 0:
        return 0.0
    else:
        return x


def activate(x):
    return rectified(x), rectified(rectified(x) - 0.5)


def cases():
    yield "activate", (np.array([-1.0, -0.0, 0.0, np.nan, 2.0] * 20),)
    yield "activate", (np.linspace(-1, 1, 300).reshape(3, 100)[:, ::2],)
    yield "activate", (np.arange(-50, 50),)
