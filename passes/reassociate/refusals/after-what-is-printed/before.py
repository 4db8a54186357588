"""The matrix has no inverse, which is raised after the first line is printed, and not before it."""

import numpy as np


def relaxed(size: int, steps: int, scale: float):
    A = np.full((size, size), scale)
    x = np.ones(size)
    for n in range(steps):
        print(n)
        x = np.linalg.inv(A) @ x
    return x


def cases():
    yield "relaxed", (3, 2, 1.0), np.linalg.LinAlgError
