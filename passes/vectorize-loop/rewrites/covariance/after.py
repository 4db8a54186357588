"""The outer loop of a triangle stays; the product of centred columns does not."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def covariance(X: npt.NDArray[np.float64]):
    n, m = X.shape
    mean = np.zeros(m)
    if npr.quiet() and npr.are_arrays(np.float64, 2, X) and type(n) is int and n >= 1:
        with np.errstate(all="ignore"):
            s = np.sum(X, axis=0)
            mean[...] = s / n
    else:
        for j in range(m):
            s = 0.0
            for k in range(n):
                s += X[k, j]
            mean[j] = s / n
    C = np.zeros((m, m))
    if npr.quiet() and npr.are_arrays(np.float64, 2, X) and type(n) is int and n >= 2:
        with np.errstate(all="ignore"):
            mask = np.arange(m)[:, None] <= np.arange(m)
            factor_2 = X - mean
            acc = factor_2.T @ factor_2
            C[...] = np.where(mask, acc / (n - 1), C)
            C[...] = np.where(mask.T, C.T, C)
    else:
        for i in range(m):
            for j in range(i, m):
                acc = 0.0
                for k in range(n):
                    acc += (X[k, i] - mean[i]) * (X[k, j] - mean[j])
                C[i, j] = acc / (n - 1)
                C[j, i] = C[i, j]
    return C


def moments(x: npt.NDArray[np.float64]):
    n = len(x)
    s = 0.0
    if npr.quiet() and npr.are_arrays(np.float64, 1, x) and n >= 1:
        with np.errstate(all="ignore"):
            s = s + np.sum(x)
    else:
        for i in range(n):
            s += x[i]
    mean = s / n
    v = 0.0
    if npr.quiet() and npr.are_arrays(np.float64, 1, x) and n >= 1 and isinstance(mean, float):
        with np.errstate(all="ignore"):
            v = v + np.sum((x - mean) ** 2)
    else:
        for i in range(n):
            v += (x[i] - mean) ** 2
    return mean, v / n


def cases():
    for n, m in ((4, 3), (2, 1), (9, 20), (3, 0)):
        X = np.sin(np.arange(n * m * 1.0)).reshape(n, m)
        yield "covariance", (X,)
        yield "moments", (X[:, :1].ravel() if m else np.ones(2),)
    yield "covariance", (np.ones((1, 2)),)
    yield "covariance", (np.ones((0, 2)),), ZeroDivisionError
    yield "moments", (np.zeros(0),), ZeroDivisionError
