"""Another module's function gives the array: nothing says of what."""

import pickle

import numpy as np


def halve(stored: bytes, trips: int):
    x = pickle.loads(stored)
    for n in range(trips):
        x = np.sqrt(x) * 0.5
    return x


def cases():
    yield "halve", (pickle.dumps(np.arange(3.0)), 9)
    yield "halve", (pickle.dumps(4.0), 9)
