"""Loop variables as values: exact integers, and single precision where the array has it."""

import numpy as np
import numpy.typing as npt


def initial(n: int, m: int):
    A = np.empty((n, m))
    for i in range(n):
        for j in range(m):
            A[i, j] = (i * (j + 1) + 1) % n / n
    return A


def ramp(x: npt.NDArray[np.float32], n: int):
    y = np.zeros(n, dtype=np.float32)
    for i in range(n):
        y[i] = x[i] * i - 0.5
    return y


def triangle(n: int):
    A = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i < j:
                A[i, j] = 1.0
            elif i == j:
                A[i, j] = 2.0
            else:
                A[i, j] = -1.0
    for i in range(n):
        A[i, i] += i
    return A


def cases():
    for n, m in ((4, 5), (1, 1), (3, 0), (30, 20)):
        yield "initial", (n, m)
        yield "triangle", (n,)
        yield "ramp", (np.linspace(0, 1, n, dtype=np.float32), n)
    yield "initial", (0, 3)
    yield "triangle", (0,)
    yield "ramp", (np.zeros(3, dtype=np.float32), 4), IndexError
    yield "ramp", (np.zeros(3, dtype=np.float32), -2), ValueError
