"""np is not NumPy everywhere here, and np.array is needed."""

import numpy as np
from numpy import ones


def other():
    global np
    np = None


def main():
    return ones(2) * [1, 2]


def cases():
    yield "main", ()
