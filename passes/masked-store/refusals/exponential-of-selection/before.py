"""Computed in every lane it divides by zero where the original does not, which np.errstate can turn into an error.

Hazards: 1.neutral
"""

import numpy as np


def respond(size: int):
    A = np.arange(size) * 1.0
    m = (A < 100) & (A != 1)
    A[m] = np.exp(1.0 / (A[m] - 1.0))
    return A


def strictly(size: int):
    with np.errstate(all="raise"):
        return respond(size)


def cases():
    yield "respond", (5,)
    yield "respond", (0,)
    yield "strictly", (5,)
    yield "strictly", (2000,)
