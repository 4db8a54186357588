"""The eigenvalues of a small matrix, which come in the order in which LAPACK finds them."""

import numpy as np


def growth(n: int, angle: float):
    m = np.eye(2)
    most = np.zeros(n)
    for i in range(n):
        m = m @ np.array([[1.0, angle], [angle, 1.0]]) * 0.5
        most[i] = np.max(np.linalg.eigvalsh(m))
    return m, most


def cases():
    yield "growth", (5, 0.1)
