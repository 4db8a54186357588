"""Huber's loss with an `if` for each element, collected in a loop."""

import numpy as np

ENTRY = "huber"
SIZES = {"bench": (400_000,), "small": (60,)}


def loss(r, delta):
    if abs(r) <= delta:
        return 0.5 * r * r
    else:
        return delta * (abs(r) - 0.5 * delta)


def huber(y, prediction, delta=1.0):
    out = np.zeros_like(y)
    for i in range(len(y)):
        out[i] = loss(y[i] - prediction[i], delta)
    return out


def setup(n):
    rng = np.random.default_rng(131)
    return rng.standard_normal(n), 0.5 * rng.standard_normal(n)
