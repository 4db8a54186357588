"""Matrix and vector, row sums, dot products: sums along one loop."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def apply(A: npt.NDArray[np.float64], x: npt.NDArray[np.float64]):
    n, m = A.shape
    y = np.zeros(n)
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, A)
        and npr.are_arrays(np.float64, 1, x)
        and m <= x.shape[0]
    ):
        with np.errstate(all="ignore"):
            y += A @ x[:m]
    else:
        for i in range(n):
            for j in range(m):
                y[i] += A[i, j] * x[j]
    return y


def norms(A: npt.NDArray[np.float32]):
    n, m = A.shape
    out = np.zeros(n, dtype=np.float32)
    if npr.quiet() and npr.are_arrays(np.float32, 2, A):
        with np.errstate(all="ignore"):
            s = np.sum(A * A, axis=1)
            out[...] = np.sqrt(s)
    else:
        for i in range(n):
            s = 0.0
            for j in range(m):
                s += A[i, j] * A[i, j]
            out[i] = np.sqrt(s)
    return out


def dot(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]):
    s = 0.0
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 1, a, b)
        and a.shape[0] <= b.shape[0]
        and a.shape[0] >= 1
    ):
        with np.errstate(all="ignore"):
            s = s + a @ b[:a.shape[0]]
    else:
        for i in range(len(a)):
            s += a[i] * b[i]
    return s


def wrapping(a: npt.NDArray[np.int32]):
    s = 0
    if npr.quiet() and npr.are_arrays(np.int32, 1, a) and a.shape[0] >= 1:
        with np.errstate(all="ignore"):
            s = s + np.sum(a, dtype=np.int32)
    else:
        for i in range(len(a)):
            s += a[i]
    return s


def cases():
    for n, m in ((3, 4), (1, 1), (0, 3), (3, 0), (20, 30)):
        A = np.arange(n * m * 1.0).reshape(n, m) - 3
        yield "apply", (A, np.arange(m * 1.0))
        yield "norms", (A.astype(np.float32),)
        yield "dot", (np.arange(n * 1.0), np.arange(n * 2.0)[::2])
    yield "apply", (np.ones((2, 3)), np.ones(2)), IndexError
    yield "dot", (np.ones(3), np.ones(2)), IndexError
    yield "wrapping", (np.full(3, 2**30, dtype=np.int32),)
    yield "wrapping", (np.zeros(0, dtype=np.int32),)
