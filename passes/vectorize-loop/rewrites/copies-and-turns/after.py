"""Transposed, reversed, shifted round, exchanged: slices in any order."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def transposed(A: npt.NDArray[np.float64]):
    n, m = A.shape
    B = np.empty((m, n))
    if npr.quiet() and npr.are_arrays(np.float64, 2, A):
        with np.errstate(all="ignore"):
            B[...] = A.T
    else:
        for i in range(n):
            for j in range(m):
                B[j, i] = A[i, j]
    return B


def reversed_rows(x: npt.NDArray[np.float64]):
    n = len(x)
    y = np.zeros(n)
    if npr.quiet() and npr.are_arrays(np.float64, 1, x):
        with np.errstate(all="ignore"):
            y[...] = x[::-1]
    else:
        for i in range(n):
            y[i] = x[n - 1 - i]
    return y


def shifted(x: npt.NDArray[np.float64]):
    n = len(x)
    y = np.zeros(n)
    if npr.quiet() and npr.are_arrays(np.float64, 1, x) and n >= 1:
        with np.errstate(all="ignore"):
            y[...] = np.roll(x, -1, axis=0) - np.roll(x, 1, axis=0)
    else:
        for i in range(n):
            y[i] = x[(i + 1) % n] - x[i - 1]
    return y


def exchanged(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]):
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 1, a, b)
        and npr.apart(a, b)
        and npr.apart(b, a)
        and a.shape[0] <= b.shape[0]
    ):
        with np.errstate(all="ignore"):
            t = a.copy()
            a[...] = b[:a.shape[0]]
            b[:a.shape[0]] = t
    else:
        for i in range(len(a)):
            t = a[i]
            a[i] = b[i]
            b[i] = t
    return a, b


def last(x: npt.NDArray[np.float64]):
    if npr.quiet() and npr.are_arrays(np.float64, 1, x) and npr.apart(x) and x.shape[0] >= 1:
        with np.errstate(all="ignore"):
            x[...] = 2 * x
            i = x.shape[0] - 1
    else:
        for i in range(len(x)):
            x[i] = 2 * x[i]
    return x, i


def from_the_end(x: npt.NDArray[np.float64]):
    if npr.quiet() and npr.are_arrays(np.float64, 1, x) and npr.apart(x) and x.shape[0] >= 2:
        with np.errstate(all="ignore"):
            x[1:] = 2 * x[:-1]
            i = 0
    else:
        for i in reversed(range(len(x) - 1)):
            x[i + 1] = 2 * x[i]
    return x, i


def cases():
    yield "from_the_end", (np.arange(5.0),)
    yield "from_the_end", (np.zeros(1),), UnboundLocalError
    for n, m in ((3, 4), (1, 1), (0, 2), (20, 3)):
        yield "transposed", (np.arange(n * m * 1.0).reshape(n, m),)
        x = np.arange(n * 1.0)
        yield "reversed_rows", (x,)
        yield "shifted", (x,)
        yield "exchanged", (x, -x)
    yield "last", (np.arange(3.0),)
    yield "last", (np.zeros(0),), UnboundLocalError
    yield "exchanged", (x[:-1], x[1:])
    yield "exchanged", (x, x)
    yield "exchanged", (np.ones(2), np.ones(1)), IndexError
