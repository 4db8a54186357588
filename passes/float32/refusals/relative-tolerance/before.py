"""A tolerance relative to the data is beyond the digits of float32 for data of any size."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def solved(n: int):
    A, b = np.eye(n) + 0.01, np.linspace(0, 1, n)
    x, limit = np.zeros(n), 1e-10 * np.linalg.norm(b)
    for _ in range(100):
        r = b - A @ x
        if np.linalg.norm(r) <= limit:  # refused here
            break
        x = x + 0.5 * r
    return x


def cases():
    yield "solved", (4,)
