"""A determinant whose sign decides: where it should be zero, LAPACK's rounding has a sign of its own."""

import numpy as np


def turns(n: int, angle: float):
    m = np.eye(2)
    signs = np.zeros(n)
    for i in range(n):
        m = m @ np.array([[1.0, angle], [-angle, 1.0]]) * 0.5
        signs[i] = np.sign(np.linalg.det(m))
    return m, signs


def cases():
    yield "turns", (5, 0.1)
