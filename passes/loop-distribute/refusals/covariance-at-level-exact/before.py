"""A product of whole matrices adds in another order than products of rows."""

import numpy as np
import numpy.typing as npt


def covariance(data: npt.NDArray[np.float64], cov: npt.NDArray[np.float64]):
    m = data.shape[1]
    for i in range(m):
        cov[i, i:] = data[:, i] @ data[:, i:]
    return cov


def cases():
    yield "covariance", (np.arange(15.0).reshape(5, 3), np.zeros((3, 3)))
