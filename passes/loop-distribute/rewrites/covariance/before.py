"""A row and a column of a symmetric matrix an iteration: one product, and a triangle of it stored twice."""

import numpy as np
import numpy.typing as npt


def covariance(M: int, float_n: float, data: npt.NDArray[np.float64]):
    cov = np.zeros((M, M))
    for i in range(M):
        cov[i:, i] = cov[i, i:] = data[:, i] @ data[:, i:] / (float_n - 1.0)
    return cov


def correlation(data: npt.NDArray[np.float32]):
    n, m = data.shape
    corr = np.eye(m, dtype=np.float32)
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
