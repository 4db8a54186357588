"""The right side is evaluated before the subscript; both write into the same list.

Hazards: 1.15
"""

import numpy as np


def pick(log):
    log.append("pick")
    return np.array([True, False, True])


def draw(log):
    log.append("draw")
    return float(len(log))


def play():
    log = []
    A = np.zeros(3)
    A[pick(log)] = draw(log)
    A[pick(log)] += draw(log)
    return A, log


def cases():
    yield "play", ()
