"""A mask that is an argument, of arrays whose types only a call shows."""

import numpy as np


def clear(out, mask):
    out[mask] = 0
    out[~mask] += 1
    return out


class Field:
    def __init__(self, n):
        self.u = np.zeros(n)

    def damp(self, wet):
        self.u[wet] *= 0.5
        return self.u


def damped(n, wet):
    return Field(n).damp(wet)


def cases():
    yield "clear", (np.arange(4.0), np.array([True, False, True, False]))
    yield "clear", (np.arange(4), np.zeros(4, bool))
    yield "damped", (3, np.array([True, False, True]))
