"""np is not NumPy everywhere here, and the array form needs a name that is."""

import numpy as np
from numpy import vectorize

def other():
    global np
    np = None

def main(x):
    return vectorize(lambda t: 0.0 if t < 0 else t)(x)


def cases():
    yield "main", (np.linspace(-1.0, 1.0, 70),)
