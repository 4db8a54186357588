"""Tolerances relative to the data that float32 can reach, and errors that start as Python's numbers."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def solved(n: int):
    A, b = np.eye(n) + 0.01, np.linspace(0, 1, n)
    x = np.zeros(n)
    limit = 1e-8 + 1e-5 * np.linalg.norm(b)
    error = np.inf
    while error > limit:
        r = b - A @ x
        x = x + 0.5 * r
        error = np.linalg.norm(r)
    return x


@nprewrite.jit(level="fast", precision="float32")
def settled(n: int):
    x = np.linspace(0, 1, n)
    change, steps = 1.0, 0
    while change > 1e-5:
        y = np.cos(x)
        change = np.abs(y - x).max()
        x = y
        steps += 1
    return x, steps > 10


def cases():
    for n in (2, 12):
        yield "solved", (n,)
        yield "settled", (n,)
