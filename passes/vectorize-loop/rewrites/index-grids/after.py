"""Loop variables as values: exact integers, and single precision where the array has it."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def initial(n: int, m: int):
    A = np.empty((n, m))
    if npr.quiet() and type(n) is int and m <= 67108865 and n >= 1 and n <= 67108864:
        with np.errstate(all="ignore"):
            A[...] = (np.arange(n)[:, None] * (np.arange(m) + 1) + 1) % n / n
    else:
        for i in range(n):
            for j in range(m):
                A[i, j] = (i * (j + 1) + 1) % n / n
    return A


def ramp(x: npt.NDArray[np.float32], n: int):
    y = np.zeros(n, dtype=np.float32)
    if npr.quiet() and npr.are_arrays(np.float32, 1, x) and n <= x.shape[0]:
        with np.errstate(all="ignore"):
            y[...] = x[:n] * np.arange(n).astype(np.float32) - 0.5
    else:
        for i in range(n):
            y[i] = x[i] * i - 0.5
    return y


def triangle(n: int):
    A = np.zeros((n, n))
    mask = np.arange(n)[:, None] < np.arange(n)
    A[...] = np.where(mask, 1.0, A)
    mask_2 = ~mask
    mask_3 = mask_2 & (np.arange(n)[:, None] == np.arange(n))
    A[...] = np.where(mask_3, 2.0, A)
    mask_4 = mask_2 & ~mask_3
    A[...] = np.where(mask_4, -1.0, A)
    if npr.quiet():
        with np.errstate(all="ignore"):
            A[np.arange(n), np.arange(n)] += np.arange(n).astype(np.float64)
    else:
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
