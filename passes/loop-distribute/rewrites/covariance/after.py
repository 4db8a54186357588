"""A row and a column of a symmetric matrix an iteration: one product, and a triangle of it stored twice."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def covariance(M: int, float_n: float, data: npt.NDArray[np.float64]):
    cov = np.zeros((M, M))
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, data)
        and type(float_n) is float
        and M == data.shape[1]
        and float_n - 1.0 != 0
    ):
        with np.errstate(all="ignore"):
            mask = np.arange(M)[:, None] <= np.arange(M)
            product = data.T @ data
            value = product / (float_n - 1.0)
            cov[...] = np.where(mask.T, value.T, cov)
            cov[...] = np.where(mask, value, cov)
    else:
        for i in range(M):
            cov[i:, i] = cov[i, i:] = data[:, i] @ data[:, i:] / (float_n - 1.0)
    return cov


def correlation(data: npt.NDArray[np.float32]):
    n, m = data.shape
    corr = np.eye(m, dtype=np.float32)
    if npr.quiet() and npr.are_arrays(np.float32, 2, data) and m >= 1:
        with np.errstate(all="ignore"):
            mask = np.arange(m - 1)[:, None] + 1 <= np.arange(1, m)
            product = data[:, :-1].T @ data[:, 1:]
            corr[1:, :-1] = np.where(mask.T, product.T, corr[1:, :-1])
            corr[:-1, 1:] = np.where(mask, product, corr[:-1, 1:])
    else:
        for i in range(m - 1):
            corr[i + 1 :, i] = corr[i, i + 1 :] = data[:, i] @ data[:, i + 1 :]
    return corr


def cases():
    for n, m in ((4, 3), (2, 1), (9, 20), (3, 0)):
        X = np.sin(np.arange(n * m * 1.0)).reshape(n, m)
        yield "covariance", (m, float(n), X)
        yield "covariance", (max(m - 1, 0), float(n), X), ValueError if m > 1 else None
        yield "covariance", (m, 1.0, np.full((n, m), np.inf))
        yield "correlation", (X.astype(np.float32),)
