"""NumPy's exponential of an array has other last bits than that of math."""

import math

import numpy as np


@np.vectorize
def damped(x):
    return math.exp(-x) if x > 0 else 1.0


def damp(x):
    return damped(x)


def cases():
    yield "damp", (np.linspace(-1.0, 1.0, 70),)
