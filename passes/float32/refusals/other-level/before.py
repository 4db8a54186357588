"""Fewer digits are taken at level fast only."""

import numpy as np


def ramp(n: int):
    return np.linspace(0, 1, n) * 2


def cases():
    yield "ramp", (5,)
